package service

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"atelier/service/gen"
	"atelier/service/render"
)

func TestItemsOfAnExecutionShareOnePreparation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(2, 1<<20)
		var fills atomic.Int64
		for range 8 {
			go func() {
				p, err := b.take(t.Context(), "e", func(_ context.Context, p *prepared) error {
					fills.Add(1)
					p.request.Seed = 7
					return wait(t.Context(), time.Second)
				})
				if err != nil || p.request.Seed != 7 {
					t.Errorf("take = %+v, %v", p, err)
				}
			}()
		}
		synctest.Wait()
		if err := wait(t.Context(), 2*time.Second); err != nil {
			t.Fatal(err)
		}
		if n := fills.Load(); n != 1 {
			t.Errorf("prepared %d times", n)
		}
	})
}

func TestAPreparationThatWasInterruptedIsDoneByTheNextInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(2, 1<<20)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := b.take(ctx, "e", func(ctx context.Context, _ *prepared) error {
				<-ctx.Done()
				return ctx.Err()
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the interrupted one got %v", err)
			}
		}()
		synctest.Wait()
		go func() {
			p, err := b.take(t.Context(), "e", func(_ context.Context, p *prepared) error {
				p.request.Seed = 9
				return nil
			})
			if err != nil || p.request.Seed != 9 {
				t.Errorf("the next one got %+v, %v", p, err)
			}
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
	})
}

func TestWhatStaysPreparedIsBoundedByItsSize(t *testing.T) {
	t.Parallel()
	b := newBench(2, 1<<30)
	for _, id := range []string{"a", "b", "c"} {
		_, err := b.take(t.Context(), id, func(_ context.Context, p *prepared) error {
			p.request.Files = map[string][]*image.NRGBA{"originalImage": {{Pix: make([]byte, benchBytes/2+1)}}}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(b.entries) != 1 || b.entries["c"] == nil {
		t.Errorf("%d large executions stay prepared", len(b.entries))
	}
	for _, id := range []string{"d", "e", "f", "g", "h", "i"} {
		if _, err := b.take(t.Context(), id, func(context.Context, *prepared) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.entries) != benchEntries || len(b.order) != benchEntries {
		t.Errorf("%d small executions stay prepared, want %d", len(b.entries), benchEntries)
	}
}

func TestAnItemIsWorkedOnByOneAndEndsWithItsTask(t *testing.T) {
	t.Parallel()
	b := newBench(2, 1<<20)
	ctx, release, ok := b.claim(t.Context(), piece{"render", "e", 0})
	if !ok {
		t.Fatal("a free item cannot be claimed")
	}
	if _, _, again := b.claim(t.Context(), piece{"render", "e", 0}); again {
		t.Error("an item was claimed twice")
	}
	if _, free, ok := b.claim(t.Context(), piece{"render", "e", 1}); !ok {
		t.Error("its neighbour cannot be claimed")
	} else {
		free()
	}
	b.abandon("e")
	if !errors.Is(context.Cause(ctx), errGone) {
		t.Errorf("the work goes on after its task was deleted: %v", context.Cause(ctx))
	}
	release()
	if _, free, ok := b.claim(t.Context(), piece{"render", "e", 0}); !ok {
		t.Error("a released item cannot be claimed")
	} else {
		free()
	}
}

func TestAPanicInAPictureEndsNothingElse(t *testing.T) {
	t.Parallel()
	err := guarded(func() error { panic("a bad picture") })
	if err == nil {
		t.Error("the panic is lost")
	}
}

func TestProgressNeverFallsAndIsForgotten(t *testing.T) {
	t.Parallel()
	var p progressBoard
	p.report("e", 0, 0.5)
	p.report("e", 0, 0.2)
	if got := p.of("e", 0); got != 0.5 {
		t.Errorf("progress = %v", got)
	}
	p.report("e", 0, 1)
	if got := p.of("e", 0); got >= 1 {
		t.Errorf("progress is %v before the picture is stored", got)
	}
	p.clear("e", 0)
	if got := p.of("e", 0); got != 0 {
		t.Errorf("progress after the end = %v", got)
	}
}

func TestAnItemsErrorIsWrittenForItsReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) { cfg.Logger = slog.New(slog.DiscardHandler) })
	tests := []struct {
		err  error
		says string
	}{
		{fmt.Errorf("deep down: %w", refuse("customMask: too small.")), "customMask: too small."},
		{fmt.Errorf("render aimodel: %w: maskType", render.ErrInvalid), "maskType"},
		{fmt.Errorf("wait: %w", context.DeadlineExceeded), "too long"},
		{errors.New("/secret/path: permission denied"), "a fault in the service"},
	}
	for _, tt := range tests {
		if got := w.svc.sentence(tt.err, gen.Execution{}); !strings.Contains(got, tt.says) || strings.Contains(got, "secret") {
			t.Errorf("%v is told as %q", tt.err, got)
		}
	}
}
