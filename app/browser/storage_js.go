//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"syscall/js"
)

// Load reads a small remembered value, "" when there is none.
func Load(key string) (value string) {
	defer func() {
		if recover() != nil { // storage switched off by the user: nothing is remembered
			value = ""
		}
	}()
	v := js.Global().Get("localStorage").Call("getItem", key)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Save remembers a small value on this machine and says whether that worked.
func Save(key, value string) (ok bool) {
	defer func() {
		if recover() != nil { // full or switched off
			ok = false
		}
	}()
	js.Global().Get("localStorage").Call("setItem", key, value)
	return true
}

const (
	vaultName  = "atelier"
	vaultStore = "kept"
)

// Keep stores bytes in the browser's database under a key; they survive a reload and a crash.
func Keep(ctx context.Context, key string, data []byte) error {
	_, err := inVault(ctx, "readwrite", func(store js.Value) js.Value {
		return store.Call("put", bytesToJS(data), key)
	})
	return err
}

// Kept reads what Keep stored; ok is false when there is nothing.
func Kept(ctx context.Context, key string) (data []byte, ok bool, err error) {
	value, err := inVault(ctx, "readonly", func(store js.Value) js.Value { return store.Call("get", key) })
	if err != nil || !value.Truthy() {
		return nil, false, err
	}
	data = make([]byte, value.Length())
	js.CopyBytesToGo(data, value)
	return data, true, nil
}

// Forget removes what Keep stored.
func Forget(ctx context.Context, key string) error {
	_, err := inVault(ctx, "readwrite", func(store js.Value) js.Value { return store.Call("delete", key) })
	return err
}

// KeptKeys lists the keys of everything stored.
func KeptKeys(ctx context.Context) ([]string, error) {
	value, err := inVault(ctx, "readonly", func(store js.Value) js.Value { return store.Call("getAllKeys") })
	if err != nil {
		return nil, err
	}
	keys := make([]string, value.Length())
	for i := range keys {
		keys[i] = value.Index(i).String()
	}
	return keys, nil
}

func inVault(ctx context.Context, mode string, ask func(store js.Value) js.Value) (js.Value, error) {
	open := js.Global().Get("indexedDB").Call("open", vaultName, 1)
	release := on(open, "upgradeneeded", nil, func(js.Value) {
		open.Get("result").Call("createObjectStore", vaultStore)
	})
	defer release()
	db, err := answered(ctx, open)
	if err != nil {
		return js.Undefined(), err
	}
	defer db.Call("close")
	transaction := db.Call("transaction", vaultStore, mode)
	return answered(ctx, ask(transaction.Call("objectStore", vaultStore)))
}

// answered waits for an IDBRequest.
func answered(ctx context.Context, request js.Value) (js.Value, error) {
	done := make(chan error, 1)
	ok := on(request, "success", nil, func(js.Value) { done <- nil })
	failed := on(request, "error", nil, func(js.Value) {
		done <- errors.New("browser storage: " + request.Get("error").Call("toString").String())
	})
	defer ok()
	defer failed()
	select {
	case err := <-done:
		if err != nil {
			return js.Undefined(), err
		}
		return request.Get("result"), nil
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}
