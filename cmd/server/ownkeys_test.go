package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
	"atelier/service"
	"atelier/upstream"
)

// account is an image service of somebody else's, over HTTP, and a key at it.
type account struct {
	url, key string
	client   *upstream.Client
}

func newAccount(t *testing.T) account {
	t.Helper()
	background := context.WithoutCancel(t.Context())
	images, err := service.Open(background, service.Config{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	const key = "canary-key-of-the-account-0123456789"
	if err := errors.Join(images.EnsureKey(background, key, "studio", "studio"), images.Start(background)); err != nil {
		t.Fatal(err)
	}
	far := httptest.NewServer(images.Handler())
	t.Cleanup(func() {
		far.Close()
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	})
	client, err := upstream.New(upstream.Options{BaseURL: far.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return account{far.URL, key, client}
}

// K8 and F12, by the commands themselves: a studio that goes back to a backup has every run again, also those that the backup did not
// know, once and by the ids the service has. There is no secret in the backup, and none is needed for that; who has kept the studio's own
// keys has the addresses that were handed out again too.
func TestK8F12ARestoredStudioHasEveryRunAgainAndNeedsNoSecretForIt(t *testing.T) {
	t.Parallel()
	for _, surface := range []string{"auto", "run"} {
		t.Run(surface, func(t *testing.T) {
			t.Parallel()
			far := newAccount(t)
			listen := killable.Address(t)
			vars := func(data string) map[string]string {
				return map[string]string{
					"ATELIER_LISTEN": listen, "ATELIER_DATA": data, "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error", "ATELIER_SURFACE": surface,
					"ATELIER_UPSTREAM_URL": far.url, "ATELIER_API_KEY": far.key, "ATELIER_ASSET_HOSTS": strings.TrimPrefix(far.url, "http://"),
				}
			}
			command := func(data string, args ...string) string {
				t.Helper()
				var out bytes.Buffer
				if err := run(t.Context(), args, env(vars(data)), &out, io.Discard); err != nil {
					t.Fatalf("%v: %v", args, err)
				}
				return out.String()
			}
			first, folder := t.TempDir(), t.TempDir()
			_, stop := started(t, vars(first), "studio")
			v := visit(t, listen)
			if _, err := v.start(1); err != nil {
				t.Fatal(err)
			}
			v.allDone(1)
			var results atelier.ResultPage
			if err := v.send("GET", "/api/results", "", nil, &results); err != nil || len(results.Results) != 1 {
				t.Fatalf("%d results, %v", len(results.Results), err)
			}
			var link atelier.ReviewLink
			if err := v.send("POST", "/api/review-links", "application/json", atelier.CreateReviewLink{IDs: []atelier.ResultID{results.Results[0].ID}, Title: "For Ada", Days: 7}, &link); err != nil {
				t.Fatal(err)
			}
			handedOut, err := url.Parse(link.URL)
			if err != nil {
				t.Fatal(err)
			}
			plain, whole := filepath.Join(folder, "plain.tar"), filepath.Join(folder, "whole.tar")
			command(first, "backup", plain)
			command(first, "backup", withKeys, whole)
			if _, err := v.start(2); err != nil {
				t.Fatal(err)
			}
			v.allDone(2)
			if err := stop(); err != nil {
				t.Fatal(err)
			}

			key, err := os.ReadFile(filepath.Join(first, callbackKeyFile))
			if err != nil {
				t.Fatal(err)
			}
			at, err := url.Parse(v.base)
			if err != nil {
				t.Fatal(err)
			}
			secrets := map[string]string{
				"the callback key": strings.TrimSpace(string(key)), "the API key": far.key, "the launch token": testToken,
				"the cookie": v.http.Jar.Cookies(at)[0].Value, "the proof of a review link": handedOut.Path[strings.LastIndexByte(handedOut.Path, '.')+1:],
			}
			for file, holds := range map[string]string{plain: "", whole: "the callback key"} {
				raw, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for what, secret := range secrets {
					if got := bytes.Contains(raw, []byte(secret)); got != (what == holds) || len(secret) < 10 {
						t.Errorf("%s holds %s: %t", filepath.Base(file), what, got)
					}
				}
			}

			type way struct {
				name, file string
				keys       string // what stands in the folder before
				opens      bool   // the address that was handed out
			}
			ways := []way{{"without keys", plain, "", false}}
			if surface == "auto" { // the rest is the same
				ways = append(ways, way{"with the keys that were kept", plain, string(key), true}, way{"with keys", whole, "", true})
			}
			for _, tt := range ways {
				data := filepath.Join(t.TempDir(), "data")
				if tt.keys != "" {
					if err := errors.Join(os.Mkdir(data, 0o700), os.WriteFile(filepath.Join(data, callbackKeyFile), []byte(tt.keys), 0o600)); err != nil {
						t.Fatal(err)
					}
				}
				if said := command(data, "restore", tt.file); strings.Contains(said, noKeys) == tt.opens {
					t.Errorf("%s: restore said %s", tt.name, said)
				}
				command(data, "check")
				_, stop := started(t, vars(data), "studio")
				v := visit(t, listen)
				ids := v.allDone(2)
				slices.Sort(ids)
				if made := executions(t, far.client); len(made) != 2 || !slices.Equal(ids, made) {
					t.Errorf("%s: the studio has the executions %v, the service has made %v", tt.name, ids, made)
				}
				if got := status(t, http.MethodGet, v.base+handedOut.Path) == http.StatusOK; got != tt.opens {
					t.Errorf("%s: the address that was handed out opens: %t, want %t", tt.name, got, tt.opens)
				}
				if err := stop(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Restoring destroys no key: one that stands there is kept, and one that is not the backup's is not replaced.
func TestRestoreKeepsTheKeysThatStand(t *testing.T) {
	t.Parallel()
	data, folder := t.TempDir(), t.TempDir()
	vars := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": data, "ATELIER_LOG": "error"}
	_, stop := started(t, vars)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	plain, whole := filepath.Join(folder, "plain.tar"), filepath.Join(folder, "whole.tar")
	for _, args := range [][]string{{"backup", plain}, {"backup", withKeys, whole}} {
		if err := run(t.Context(), args, env(vars), io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	own := map[string]string{}
	for _, key := range ownKeys {
		raw, err := os.ReadFile(filepath.Join(data, filepath.FromSlash(key)))
		if err != nil {
			t.Fatal(err)
		}
		own[key] = string(raw)
	}
	other := map[string]string{callbackKeyFile: "another\n", "service/studio.key": "one more\n"}
	for _, tt := range []struct {
		name    string
		file    string
		stands  map[string]string
		want    map[string]string // keys afterwards
		refused string
		warned  bool
	}{
		{"none anywhere", plain, nil, map[string]string{}, "", true},
		{"one of two", plain, map[string]string{callbackKeyFile: own[callbackKeyFile]}, map[string]string{callbackKeyFile: own[callbackKeyFile]}, "", true},
		{"both stand", plain, own, own, "", false},
		{"others stand", plain, other, other, "", false},
		{"in the backup", whole, nil, own, "", false},
		{"the same in both", whole, own, own, "", false},
		{"another than in the backup", whole, other, other, "is not the one in the backup", false},
		{"beside something else", plain, map[string]string{callbackKeyFile: "x", "service/service.db": "y"}, map[string]string{callbackKeyFile: "x"}, "not empty", false},
	} {
		target := filepath.Join(t.TempDir(), "data")
		for name, key := range tt.stands {
			at := filepath.Join(target, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(key), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		var said bytes.Buffer
		err := run(t.Context(), []string{"restore", tt.file}, env(map[string]string{"ATELIER_DATA": target}), &said, io.Discard)
		if tt.refused == "" && err != nil || tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if strings.Contains(said.String(), noKeys) != tt.warned {
			t.Errorf("%s: restore said %s", tt.name, &said)
		}
		for _, key := range ownKeys {
			raw, err := os.ReadFile(filepath.Join(target, filepath.FromSlash(key)))
			if err != nil && tt.want[key] != "" || string(raw) != tt.want[key] {
				t.Errorf("%s: %s is %q, want %q, %v", tt.name, key, raw, tt.want[key], err)
			}
		}
		if tt.refused == "" && !exists(filepath.Join(target, "service", "service.db")) {
			t.Errorf("%s: the service's database is not there", tt.name)
		}
	}
}

// executions lists what an account has at a service, in order.
func executions(t *testing.T, service *upstream.Client) (ids []string) {
	t.Helper()
	page, err := service.ListTasks(t.Context(), upstream.TaskFilter{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range page.Tasks {
		for _, e := range task.Executions {
			ids = append(ids, e.ExecutionID)
		}
	}
	slices.Sort(ids)
	return ids
}

// allDone waits until a studio has n runs, all done, with their pictures, and gives their executions.
func (v *visitor) allDone(n int) (executions []string) {
	v.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(5 * time.Minute); ; <-tick.C {
		var page atelier.RunPage
		if err := v.send("GET", "/api/runs?limit=50", "", nil, &page); err != nil {
			v.t.Fatal(err)
		}
		executions = nil
		for _, r := range page.Runs {
			if r.State == atelier.StateDone && len(r.Results) > 0 && r.Results[0].Stored {
				executions = append(executions, r.ExecutionID)
			}
		}
		if len(page.Runs) == n && len(executions) == n {
			return executions
		}
		if time.Now().After(deadline) {
			v.t.Fatalf("%d runs of %d are done: %+v", len(executions), n, page.Runs)
		}
	}
}
