package media

import (
	"context"
	"errors"
	"fmt"
	"image"
	"testing"

	"atelier/atelier"
)

func TestAVideoIsDamagedOnlyWhenThereWasTimeToLook(t *testing.T) {
	t.Parallel()
	s, _ := openStore(t)
	tests := []struct {
		err   error
		code  atelier.Code
		again bool
	}{
		{errors.New("no frame"), atelier.Invalid, false},
		{fmt.Errorf("ffprobe: %w", context.DeadlineExceeded), atelier.UpstreamBusy, true},
	}
	for _, tt := range tests {
		_, _, err := s.posterOf(t.Context(), "", func(context.Context, string) (*image.NRGBA, error) { return nil, tt.err })
		if e, ok := errors.AsType[*atelier.Error](err); !ok || e.Code != tt.code || e.Retryable != tt.again || e.Fields["file"] == "" {
			t.Errorf("%v is told as %v, want %s, retryable: %t", tt.err, err, tt.code, tt.again)
		}
	}
}
