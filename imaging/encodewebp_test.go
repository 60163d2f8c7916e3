package imaging_test

import (
	"bytes"
	"image"
	"os"
	"os/exec"
	"sync"
	"testing"

	"atelier/imaging"
	"atelier/imaging/probe"
)

const childFirst = "ATELIER_TEST_FIRST_WEBP"

// The first pictures that a process writes as WebP, several at once, are as all later ones: in each of many new processes.
func TestTheFirstWebPsAreAsLaterOnes(t *testing.T) {
	if os.Getenv(childFirst) != "" {
		writeFirstWebPs(t)
		return
	}
	t.Parallel()
	for range 40 {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), childFirst+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

func writeFirstWebPs(t *testing.T) {
	// Four pixels that differ share their colour: it is averaged as light, which is what the encoder's tables are for.
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 97)
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	write := func() []byte {
		var file bytes.Buffer
		if err := imaging.Encode(&file, img, imaging.EncodeOptions{Format: probe.WebP, Quality: 90}); err != nil {
			t.Error(err)
		}
		return file.Bytes()
	}
	first := make([][]byte, 8)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range first {
		all.Go(func() {
			<-start
			first[i] = write()
		})
	}
	close(start)
	all.Wait()
	for i, later := 0, write(); i < len(first); i++ {
		if !bytes.Equal(first[i], later) {
			t.Errorf("picture %d of those written first is another than one written later", i)
		}
	}
}
