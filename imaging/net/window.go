package net

import "fmt"

// window is how an operator moves over its input: sizes of both pictures, of the part it looks at, and its steps.
type window struct {
	inH, inW, inC        int
	outH, outW, outC     int
	kernelH, kernelW     int
	strideH, strideW     int
	dilationH, dilationW int
	top, left            int // rows and columns of padding before the first
}

// The values of the padding field.
const paddingSame, paddingValid = 0, 1

// fit computes the padding and checks the size of the result (tensorflow/lite/kernels/padding.h).
func (w *window) fit(padding uint8) error {
	for _, n := range []int{w.kernelH, w.kernelW, w.strideH, w.strideW, w.dilationH, w.dilationW} {
		if n < 1 || n > maxElements {
			return fmt.Errorf("kernel %d×%d, stride %d×%d, dilation %d×%d",
				w.kernelW, w.kernelH, w.strideW, w.strideH, w.dilationW, w.dilationH)
		}
	}
	spanH, spanW := (w.kernelH-1)*w.dilationH+1, (w.kernelW-1)*w.dilationW+1
	var h, wide int
	switch padding {
	case paddingSame:
		h, wide = (w.inH+w.strideH-1)/w.strideH, (w.inW+w.strideW-1)/w.strideW
		w.top = max((h-1)*w.strideH+spanH-w.inH, 0) / 2
		w.left = max((wide-1)*w.strideW+spanW-w.inW, 0) / 2
	case paddingValid:
		h, wide = (w.inH-spanH)/w.strideH+1, (w.inW-spanW)/w.strideW+1
		if w.inH < spanH || w.inW < spanW {
			return fmt.Errorf("a kernel of %d×%d on %d×%d", spanW, spanH, w.inW, w.inH)
		}
	default:
		return fmt.Errorf("padding %d is not read", padding)
	}
	if h != w.outH || wide != w.outW {
		return fmt.Errorf("the result is %d×%d, the file says %d×%d", wide, h, w.outW, w.outH)
	}
	return nil
}

// taps returns the range of kernel positions that lie inside the input, for the window that begins at from.
func taps(from, kernel, dilation, size int) (lo, hi int) {
	lo, hi = 0, kernel
	if from < 0 {
		lo = (-from + dilation - 1) / dilation
	}
	if last := (size - 1 - from) / dilation; size-1-from < 0 {
		hi = lo
	} else if last+1 < hi {
		hi = last + 1
	}
	return lo, max(hi, lo)
}

// windowOf reads what convolutions and pools have in common. Their options begin with padding and strides.
func (o operands) windowOf() window {
	in, out := o.shape(o.in[0]), o.shape(o.out)
	return window{
		inH: in[1], inW: in[2], inC: in[3], outH: out[1], outW: out[2], outC: out[3],
		strideW: o.options.int(1, 0), strideH: o.options.int(2, 0), dilationH: 1, dilationW: 1,
	}
}
