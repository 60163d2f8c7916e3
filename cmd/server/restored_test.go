package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
	"atelier/upstream"
)

// K8: a studio with an account elsewhere goes back to yesterday's backup by the commands that an operator has. What it has asked for since
// is found again at the image service, once each, with its pictures, and nothing is asked for a second time.
func TestK8WhatCameAfterABackupIsFoundAgainAtTheService(t *testing.T) {
	far := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(), "ATELIER_LOG": "error"}
	started(t, far, "service")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"keys", "create", "shop"}, env(far), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	key, _, _ := strings.Cut(out.String(), "\n")
	origin := "http://" + far["ATELIER_LISTEN"]
	service, err := upstream.New(upstream.Options{BaseURL: origin, Key: upstream.Secret(key)})
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{
		"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": t.TempDir(), "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error",
		"ATELIER_UPSTREAM_URL": origin, "ATELIER_API_KEY": key, "ATELIER_ASSET_HOSTS": far["ATELIER_LISTEN"],
	}
	_, stop := started(t, vars)
	v := visit(t, vars["ATELIER_LISTEN"])
	file := filepath.Join(t.TempDir(), "yesterday.tar")
	const before, after = 1, 2
	for n := range before + after {
		if n == before {
			v.allDone(before)
			if err := run(t.Context(), []string{"backup", file}, env(vars), io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := v.start(n); err != nil {
			t.Fatal(err)
		}
	}
	v.allDone(before + after)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	made := executions(t, service)
	if len(made) != before+after {
		t.Fatalf("the service made %v", made)
	}

	vars["ATELIER_DATA"] = filepath.Join(t.TempDir(), "data")
	if err := run(t.Context(), []string{"restore", file}, env(vars), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	started(t, vars)
	found := visit(t, vars["ATELIER_LISTEN"]).allDone(before + after)
	slices.Sort(found)
	if !slices.Equal(found, made) {
		t.Errorf("the studio has %v, the service made %v", found, made)
	}
	if again := executions(t, service); !slices.Equal(again, made) {
		t.Errorf("the service made %v, and before the studio went back %v", again, made)
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
	for deadline := time.Now().Add(2 * time.Minute); ; <-tick.C {
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
