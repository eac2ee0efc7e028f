package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/sys/wait"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// The simulated model sends its first piece after firstPiece, and makes a pause of the same length in the
// middle of its answer, so that an answer that is held back until it is complete shows.
const firstPiece = 300 * time.Millisecond

// A firstPieces is a simulated model that records when it began to answer last.
type firstPieces struct{ at atomic.Pointer[time.Time] }

func (f *firstPieces) handle(r llmtest.Request) llmtest.Reply {
	reply := fakemodel.Handler(r)
	if !r.Stream {
		return reply
	}
	reply.Half = func(ctx context.Context) { _ = wait.For(ctx, firstPiece) }
	time.Sleep(firstPiece)
	now := time.Now()
	f.at.Store(&now)
	return reply
}

// firstWords prints how much later than the first piece of the model the first piece of an answer arrives.
func (b bench) firstWords(ctx context.Context) error {
	f := &firstPieces{}
	//nolint:contextcheck // the server runs until it is closed
	model := llmtest.New(llmtest.Options{Handler: f.handle})
	defer model.Close()
	p, err := b.serve(ctx, "answers", "--base-url", model.URL(), "--model", "simulated", "--read-only")
	if err != nil {
		return err
	}
	defer p.stop()
	c := newClient(p.address)
	var after, before []time.Duration
	for i := range b.answers + 2 { // two to warm up
		q := questionAt(2*i, b.entities)
		start := time.Now()
		first, err := c.firstDelta(ctx, q)
		if err != nil {
			return fmt.Errorf("answer to %q: %w", q.text, err)
		}
		began := f.at.Swap(nil)
		if began == nil {
			return fmt.Errorf("answer to %q: the model was not asked for a stream", q.text)
		}
		if i >= 2 {
			after, before = append(after, first.Sub(*began)), append(before, began.Sub(start)-firstPiece)
		}
	}
	slices.Sort(after)
	slices.Sort(before)
	_, err = fmt.Fprintf(b.w, "\nfirst word of %d answers by basic: p50 %.1f ms, p95 %.1f ms after the first word of the model; the model is asked after p50 %.0f ms, p95 %.0f ms\n",
		len(after), ms(percentile(after, .5)), ms(percentile(after, .95)), ms(percentile(before, .5)), ms(percentile(before, .95)))
	return err
}

// firstDelta asks for an answer and returns when its first piece arrived. It reads the stream to its end.
func (c client) firstDelta(ctx context.Context, q question) (first time.Time, err error) {
	body, err := json.Marshal(map[string]any{"question": q.text, "method": q.method, "corpora": []string{asked}})
	if err != nil {
		return first, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address+"/api/v1/ask/stream", bytes.NewReader(body))
	if err != nil {
		return first, err
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := c.http.Do(r)
	if err != nil {
		return first, err
	}
	defer func() { _ = got.Body.Close() }()
	answered := false
	lines := bufio.NewScanner(got.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		switch event, _ := strings.CutPrefix(lines.Text(), "event: "); {
		case event == "delta" && first.IsZero():
			first = time.Now()
		case event == "answer":
			answered = true
		}
	}
	if err := lines.Err(); err != nil {
		return first, err
	}
	if !answered || first.IsZero() {
		return first, errors.New("the stream has no pieces or no answer")
	}
	return first, nil
}
