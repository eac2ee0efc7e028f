package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A client asks the server.
type client struct {
	http    *http.Client
	address string
}

func newClient(address string) client {
	t := &http.Transport{MaxIdleConnsPerHost: 64}
	return client{&http.Client{Transport: t}, address}
}

// A sample is a request.
type sample struct {
	kind   string // the method, and what auto chose
	status int    // 0 if there was no answer
	took   time.Duration
}

// context asks for a context.
func (c client) context(ctx context.Context, q question) sample {
	s := sample{kind: q.method}
	body, err := json.Marshal(map[string]any{"question": q.text, "method": q.method, "corpora": []string{asked}})
	if err != nil {
		return s
	}
	start := time.Now()
	status, answer, err := c.do(ctx, http.MethodPost, "/api/v1/context", "application/json", bytes.NewReader(body))
	s.took = time.Since(start)
	if err != nil {
		return s
	}
	s.status = status
	var found struct {
		Blocks []struct{}              `json:"blocks"`
		Choice struct{ Method string } `json:"choice"`
	}
	if status != http.StatusOK || json.Unmarshal(answer, &found) != nil {
		return s
	}
	if found.Choice.Method != "" {
		s.kind += ": " + found.Choice.Method
	}
	if len(found.Blocks) == 0 {
		s.kind += ", nothing found"
	}
	return s
}

// do sends a request and reads the answer.
func (c client) do(ctx context.Context, method, path, kind string, body io.Reader) (status int, answer []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.address+path, body)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", kind)
	got, err := c.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = got.Body.Close() }()
	answer, err = io.ReadAll(got.Body)
	return got.StatusCode, answer, err
}

// openLoop calls ask at a rate for some time: each call starts when it is due, whether or not the ones
// before have ended. It returns the samples when all have ended.
func openLoop(ctx context.Context, rate int, d time.Duration, ask func(i int) sample) ([]sample, error) {
	n := int(d.Seconds() * float64(rate))
	samples, done := make([]sample, n), make(chan struct{}, n)
	start := time.Now()
	var err error
	begun := 0
	for ; begun < n && err == nil; begun++ {
		due := start.Add(time.Duration(begun) * time.Second / time.Duration(rate))
		select {
		case <-time.After(time.Until(due)):
			go func(i int) {
				samples[i] = ask(i)
				done <- struct{}{}
			}(begun)
		case <-ctx.Done():
			err = fmt.Errorf("ask: %w", ctx.Err())
			done <- struct{}{}
		}
	}
	for range begun {
		<-done
	}
	return samples[:begun], err
}
