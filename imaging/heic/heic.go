// Package heic decodes the HEVC pictures of a HEIC file. The decoder is libheif 1.18.2 with libde265 1.0.15, compiled to WebAssembly by
// github.com/gen2brain/heic v0.4.5, whose file heif.wasm.gz this is. It runs in a sandbox of bounded memory, can be stopped at any time, and gives
// everything back when a tile is done; no library of the system is loaded.
package heic

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed heif.wasm.gz
var packed []byte

var (
	// ErrDecode says that the decoder does not take a tile.
	ErrDecode = errors.New("heic: not decoded")
	// ErrMemory says that a tile needs more memory than Memory grants.
	ErrMemory = errors.New("heic: more memory than granted")
)

// Tile is a picture as the decoder gives it, with 8 bits a channel: planes of luminance and colour differences, or RGBA.
type Tile struct {
	Width, Height  int
	Y, Cb, Cr      []uint8 // Cb is nil where there is no colour
	Stride, CWidth int     // bytes of a row of Y, or of RGBA; of Cb and Cr
	Across, Down   int     // pixels that share a colour difference
	RGBA           []uint8 // in place of the planes
}

// Memory is the most a tile of w × h px takes while it is decoded, in bytes, the compressed one of size bytes included: the picture in up to 16 bits, its
// copies in 8 and what belongs to blocks of it. With 4:2:0 and 8 bits it takes 8 bytes a pixel.
func Memory(w, h int, size int64) int64 {
	const fixed, pixel = 16 << 20, 20
	return fixed + 2*size + pixel*int64(w)*int64(h)
}

// runtime is the compiled decoder, made when it is first needed: compiling takes about half a second of a processor and 40 MB.
var runtime = sync.OnceValues(func() (*compiled, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the HEIC decoder: %w", err)
	}
	module, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("unpack the HEIC decoder: %w", err)
	}
	if module, err = stoppable(module); err != nil {
		return nil, fmt.Errorf("prepare the HEIC decoder: %w", err)
	}
	ctx := context.Background()
	c := &compiled{runtime: wazero.NewRuntime(ctx)}
	if c.module, err = c.runtime.CompileModule(ctx, module); err != nil {
		return nil, fmt.Errorf("compile the HEIC decoder: %w", err)
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, c.runtime); err != nil {
		return nil, fmt.Errorf("link the HEIC decoder: %w", err)
	}
	return c, nil
})

type compiled struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// The numbers of heif_colorspace and heif_chroma.
const (
	colourPlanes = 0
	colourRGB    = 1
	colourGrey   = 2
	chroma420    = 1
	chroma422    = 2
	chroma444    = 3
)

// Decode decodes one tile of w × h px: data as the file has it, config its hvcC. It ends with the context. use gets the tile, whose memory is gone
// after.
func Decode(ctx context.Context, config, data []byte, w, h int, use func(Tile)) (err error) {
	c, err := runtime()
	if err != nil {
		return err
	}
	file := still(config, data, w, h)
	m := &memory{buf: reserve(int(Memory(w, h, int64(len(data)))))}
	if m.buf == nil {
		return ErrMemory
	}
	// The context of the calls is another: it is the loops of the module that look whether to stop.
	calls := experimental.WithMemoryAllocator(context.WithoutCancel(ctx), m)
	module, err := c.runtime.InstantiateModule(calls, c.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		m.Free()
		return fmt.Errorf("start the HEIC decoder: %w", err)
	}
	defer func() { err = errors.Join(err, module.Close(calls)) }()
	stop := context.AfterFunc(ctx, m.stop)
	defer stop()
	defer m.leave() // before the module goes: stop must not reach memory that is not ours any more

	t, err := decode(calls, module, file, w, h)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("decode: %w", ctx.Err())
	case err != nil && m.refused:
		return errors.Join(ErrMemory, err)
	case err != nil:
		return errors.Join(ErrDecode, err)
	}
	use(t)
	return nil
}

func decode(ctx context.Context, module api.Module, file []byte, w, h int) (t Tile, err error) {
	memory := module.Memory()
	call := func(name string, args ...uint64) uint32 {
		if err != nil {
			return 0
		}
		var results []uint64
		if results, err = module.ExportedFunction(name).Call(ctx, args...); err != nil || len(results) == 0 {
			return 0
		}
		return uint32(results[0])
	}
	alloc := func(n int) uint64 {
		at := call("malloc", uint64(n))
		if at == 0 && err == nil {
			err = errors.New("no memory")
		}
		return uint64(at)
	}
	const answers = 5 // width, height, colour space, chroma, premultiplied
	in, says := alloc(len(file)), alloc(4*answers)
	// Rows are a multiple of 16 long, at least 64 (libheif's HeifPixelImage::ImagePlane::alloc); four bytes a pixel suffice for all it gives.
	stride := (max(w+w&1, 64) + 15) &^ 15
	out := alloc(4 * stride * (h + 1))
	if err != nil {
		return t, err
	}
	if !memory.Write(uint32(in), file) {
		return t, errors.New("no room for the file")
	}
	done := call("decode", in, uint64(len(file)), 0, says, says+4, says+8, says+12, says+16, out)
	if err != nil {
		return t, err
	}
	if done == 0 {
		return t, errors.New("refused")
	}
	var said [answers]uint32
	for i := range said {
		said[i], _ = memory.ReadUint32Le(uint32(says) + 4*uint32(i))
	}
	pixels, ok := memory.Read(uint32(out), uint32(4*stride*(h+1)))
	if !ok || int(said[0]) != w || int(said[1]) != h {
		return t, fmt.Errorf("%d × %d pixels in place of %d × %d", said[0], said[1], w, h)
	}
	t = Tile{Width: w, Height: h, Stride: stride, Across: 1, Down: 1}
	switch said[2] {
	case colourGrey:
		t.Y = pixels[:stride*h]
		return t, nil
	case colourRGB:
		t.Stride *= 4
		t.RGBA = pixels[:4*stride*h]
		return t, nil
	case colourPlanes:
	default:
		return t, fmt.Errorf("colour space %d", said[2])
	}
	cw, ch := w, h
	switch said[3] {
	case chroma420:
		t.Across, t.Down, cw, ch = 2, 2, (w+1)/2, (h+1)/2
	case chroma422:
		t.Across, cw = 2, (w+1)/2
	case chroma444:
	default:
		return t, fmt.Errorf("chroma %d", said[3])
	}
	t.CWidth = (max(cw+cw&1, 64) + 15) &^ 15
	luma, part := stride*h, t.CWidth*ch
	t.Y, t.Cb, t.Cr = pixels[:luma], pixels[luma:luma+part], pixels[luma+part:luma+2*part]
	return t, nil
}

// memory is that of one run of the decoder.
type memory struct {
	buf     []byte
	refused bool
	mu      sync.Mutex // stop may come from another goroutine
	left    bool
}

func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate grants more of the memory; its address stays the same.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.buf)) {
		m.refused = true
		return nil
	}
	return m.buf[:size:size]
}

// Free is called when the module is closed.
func (m *memory) Free() {
	release(m.buf)
	m.buf = nil
}

func (m *memory) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.left {
		m.buf[stopAddress] = 1
	}
}

// leave makes stop do nothing from now on.
func (m *memory) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = true
}
