//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
)

// await blocks the calling goroutine until the promise settles or ctx ends. Never call it on the UI goroutine.
func await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	resolve := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value := js.Undefined()
		if len(args) > 0 {
			value = args[0]
		}
		done <- settled{value: value}
		return nil
	})
	reject := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	release := func() { resolve.Release(); reject.Release() }
	promise.Call("then", resolve, reject)
	select {
	case s := <-done:
		release()
		return s.value, s.err
	case <-ctx.Done():
		go func() {
			<-done
			release()
		}()
		return js.Undefined(), ctx.Err()
	}
}

// Fetch sends a request and reads its whole answer. The error wraps ErrOffline when there was none.
func Fetch(ctx context.Context, r Request) (Response, error) {
	abort := js.Global().Get("AbortController").New()
	stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
	defer stop()

	options := js.Global().Get("Object").New()
	options.Set("method", r.Method)
	options.Set("headers", object(r.Header))
	options.Set("signal", abort.Get("signal"))
	options.Set("credentials", "same-origin")
	options.Set("cache", "no-cache")
	// A deletion may be the last thing a page does.
	options.Set("keepalive", r.Method == "DELETE") //nolint:usestdlibvars // net/http is no part of the download
	if r.Body != nil {
		options.Set("body", bytesToJS(r.Body))
	}
	answer, err := await(ctx, js.Global().Call("fetch", r.URL, options))
	if err != nil {
		return Response{}, lost(ctx, err)
	}
	buffer, err := await(ctx, answer.Call("arrayBuffer"))
	if err != nil {
		return Response{}, lost(ctx, err)
	}
	header := func(name string) string {
		if v := answer.Get("headers").Call("get", name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	return Response{Status: answer.Get("status").Int(), Body: bytesFromJS(buffer), Header: header}, nil
}

func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrOffline, err)
}

// Upload sends a file as the body of a POST and reports how much of it has left. Only XMLHttpRequest can tell.
func Upload(ctx context.Context, url string, header map[string]string, f File, progress func(sent, total int64)) (Response, error) {
	xhr := js.Global().Get("XMLHttpRequest").New()
	done := make(chan error, 1)
	finish := func(err error) {
		select {
		case done <- err:
		default:
		}
	}
	listen := func(target js.Value, event string, f func(js.Value)) func() {
		return on(target, event, nil, f)
	}
	releases := []func(){
		listen(xhr.Get("upload"), "progress", func(e js.Value) {
			progress(int64(e.Get("loaded").Float()), int64(e.Get("total").Float()))
		}),
		listen(xhr, "load", func(js.Value) { finish(nil) }),
		listen(xhr, "error", func(js.Value) { finish(ErrOffline) }),
		listen(xhr, "timeout", func(js.Value) { finish(ErrOffline) }),
		listen(xhr, "abort", func(js.Value) { finish(context.Canceled) }),
	}
	defer func() {
		for _, release := range releases {
			release()
		}
	}()
	xhr.Call("open", "POST", url)
	xhr.Set("responseType", "arraybuffer")
	for name, value := range header {
		xhr.Call("setRequestHeader", name, value)
	}
	xhr.Call("send", f.Value)
	select {
	case err := <-done:
		if err != nil {
			return Response{}, err
		}
	case <-ctx.Done():
		xhr.Call("abort")
		return Response{}, ctx.Err()
	}
	return Response{Status: xhr.Get("status").Int(), Body: bytesFromJS(xhr.Get("response"))}, nil
}

func object(entries map[string]string) js.Value {
	o := js.Global().Get("Object").New()
	for name, value := range entries {
		o.Set(name, value)
	}
	return o
}

func bytesToJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// bytesFromJS copies an ArrayBuffer; null and undefined are empty.
func bytesFromJS(buffer js.Value) []byte {
	if !buffer.Truthy() {
		return nil
	}
	array := js.Global().Get("Uint8Array").New(buffer)
	out := make([]byte, array.Length())
	js.CopyBytesToGo(out, array)
	return out
}
