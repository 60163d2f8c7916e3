package model

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
)

// filled gives a value something to say in each of its fields, n of which go into one another. What no JSON holds stays empty.
func filled(t *testing.T, v reflect.Value, n int) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d", v.Type(), n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(-n)<<20 | 1)
	case reflect.Float64:
		v.SetFloat(float64(n) / 7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(t, v.Elem(), n+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(t, v.Index(0), n+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		one := reflect.New(v.Type().Elem()).Elem()
		if v.Type().Elem().Kind() == reflect.Interface {
			one.Set(reflect.ValueOf(map[string]any{"is": []any{1.5, "text", nil, true}}))
		} else {
			filled(t, one, n+1)
		}
		v.SetMapIndex(reflect.ValueOf("key"), one)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 3, 1, 12, 0, n, 123_456_789, time.UTC)))
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() != reflect.Interface {
				filled(t, f, n+i)
			}
		}
	default:
		t.Fatalf("%s is not filled", v.Type())
	}
}

// What a list keeps is what it was given, whatever is said of a result and its run: all fields, each alone, and none.
func TestAListKeepsWhateverIsSaid(t *testing.T) {
	var full Shot
	filled(t, reflect.ValueOf(&full).Elem(), 1)
	full.Run.Error.Wait = 0 // which no answer says
	given := []Shot{full, {Run: full.Run}, {Run: full.Run, Stack: true}, {Result: full.Result}, {}}
	for of := range 2 {
		for i := range reflect.ValueOf(full).Field(of).NumField() {
			one := Shot{Stack: i%2 == 0}
			reflect.ValueOf(&one).Elem().Field(of).Field(i).Set(reflect.ValueOf(full).Field(of).Field(i))
			given = append(given, one)
		}
	}
	usual := Listed(longHistory(t, 4)[1])
	usual.Run.Owner = full.Run.Owner
	given = append(given, usual)
	for n, s := range given {
		// Shots that say the same of their run, and others, stand beside it.
		var l Listing
		for i := range 3 {
			beside := full
			beside.Run.ID, beside.Result.ID = atelier.RunID(fmt.Sprint("beside ", i)), atelier.ResultID(fmt.Sprint("beside ", i))
			l.Append(beside)
			if i == 1 {
				l.Append(s)
			}
		}
		l.Append(s) // once more, which is written anew
		if diff := cmp.Diff(s, l.At(2)); diff != "" {
			t.Errorf("shot %d is kept otherwise than it was given (-given +kept):\n%s", n, diff)
		}
		if l.Len() != 4 || l.Key(2) != s.Key() || l.Find(s.Key()) != 2 || !l.Made(2).Equal(s.Run.CreatedAt) || l.Shape(2) != shape(&s.Result, s.Run.Asset) {
			t.Errorf("of shot %d the list says %q at %d, %v, %v", n, l.Key(2), l.Find(s.Key()), l.Made(2), l.Shape(2))
		}
		if s.Run.ID != "" {
			if got := l.Of(map[atelier.RunID]bool{s.Run.ID: true}); len(got) != 1 || got[0] != s.Key() {
				t.Errorf("of the run of shot %d there are %q", n, got)
			}
		}
	}
}

// A collection of garbage goes through every object there is, in one task of the page: a long list of results, or of runs known whole, has
// next to none.
func TestALongListLeavesTheCollectorLittleToDo(t *testing.T) {
	const n = 4000
	var results, runs Listing
	for _, r := range longHistory(t, n) {
		results.Append(Listed(r))
	}
	for i := range n {
		run := atelier.Run{ID: atelier.RunID(fmt.Sprintf("0193a7b2-0000-7000-8000-%012x", i)), State: atelier.StateDone, CreatedAt: first.Add(-time.Duration(i) * time.Minute)}
		run.Values, run.Title = map[string]any{"prompt": "a quiet street", "n": float64(i)}, fmt.Sprintf("Look %d", i)
		for range 4 {
			run.Results = append(run.Results, atelier.Result{ID: atelier.ResultID(fmt.Sprintf("%s.%d", run.ID, len(run.Results))), Stored: true, Preview: strings.Repeat("p", 80)})
		}
		runs.Append(Cover(run))
	}
	for name, l := range map[string]*Listing{"results": &results, "runs": &runs} {
		var with, without runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&with)
		*l = Listing{}
		runtime.GC()
		runtime.ReadMemStats(&without)
		if objects := with.HeapObjects - without.HeapObjects; objects > n/10 {
			t.Errorf("of %d %s the list keeps %d objects", n, name, objects)
		}
		t.Logf("%d bytes for each of the %s", (with.HeapAlloc-without.HeapAlloc)/n, name)
	}
}
