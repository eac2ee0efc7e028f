package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// A runner uploads the sample with its paragraphs in another order whenever a run begins, or has ended
// before that was seen, so that one is always under way and has all files to index.
type runner struct {
	client  client
	texts   map[string][]string // paragraphs by name of the file
	uploads uint64
	count   atomic.Int64 // runs that were seen
}

// startRuns begins to index. end stops that and waits for the run that is under way.
func startRuns(ctx context.Context, c client) (r *runner, end func() error) {
	r = &runner{client: c, texts: map[string][]string{}}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- r.run(ctx) }()
	return r, func() error {
		cancel()
		return errors.Join(<-ended, r.finish(context.WithoutCancel(ctx)))
	}
}

func (r *runner) run(ctx context.Context) error {
	paths, err := filepath.Glob("examples/christmas-carol/*.txt")
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("find the sample: %d files, %w", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // of the sample
		if err != nil {
			return err
		}
		r.texts[filepath.Base(path)] = strings.Split(string(text), "\n\n")
	}
	if err := r.upload(ctx); err != nil {
		return err
	}
	var since time.Time
	for wait.For(ctx, 500*time.Millisecond) == nil {
		s, err := r.state(ctx)
		if err == nil && s.State != "waiting" && !s.Since.Equal(since) {
			if since = s.Since; s.State == "running" {
				r.count.Add(1)
			}
			err = r.upload(ctx)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// runState is what the server tells of a run.
type runState struct {
	State, Message string
	Since          time.Time
}

func (r *runner) state(ctx context.Context) (runState, error) {
	var got struct{ Run runState }
	status, body, err := r.client.do(ctx, http.MethodGet, r.path(), "", nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	if err == nil {
		err = json.Unmarshal(body, &got)
	}
	if err == nil && got.Run.State == "failed" {
		err = errors.New(got.Run.Message)
	}
	if err != nil {
		return got.Run, fmt.Errorf("state of the index: %w", err)
	}
	return got.Run, nil
}

func (*runner) path() string { return "/api/v1/corpora/" + indexed + "/files" }

// upload replaces all files.
func (r *runner) upload(ctx context.Context) error {
	r.uploads++
	random := rand.New(rand.NewPCG(2, r.uploads))
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, paragraphs := range r.texts {
		random.Shuffle(len(paragraphs), func(i, j int) { paragraphs[i], paragraphs[j] = paragraphs[j], paragraphs[i] })
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			return err
		}
		if _, err := part.Write([]byte(strings.Join(paragraphs, "\n\n"))); err != nil {
			return err
		}
	}
	if err := form.Close(); err != nil {
		return err
	}
	status, answer, err := r.client.do(ctx, http.MethodPost, r.path(), form.FormDataContentType(), &body)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, answer)
	}
	if err != nil {
		return fmt.Errorf("upload the sample: %w", err)
	}
	return nil
}

// finish cancels what remains to be indexed, and waits until nothing is.
func (r *runner) finish(ctx context.Context) error {
	if _, _, err := r.client.do(ctx, http.MethodPost, "/api/v1/corpora/"+indexed+"/run/cancel", "", nil); err != nil {
		return err
	}
	for wait.For(ctx, 200*time.Millisecond) == nil {
		if s, err := r.state(ctx); err != nil || s.State == "idle" {
			return err
		}
	}
	return ctx.Err()
}
