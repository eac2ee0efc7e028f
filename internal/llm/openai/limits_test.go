package openai_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// peakHeap returns by how many bytes the heap grows at most while f runs.
func peakHeap(f func()) uint64 {
	read := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before := read()
	peak := before
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				peak = max(peak, read())
			}
		}
	})
	f()
	close(done)
	wg.Wait()
	return peak - before
}

const (
	mb = 1 << 20
	gb = 1 << 30
	// inBuffers are the bytes that the buffers between server and client may hold.
	inBuffers = 16 * mb
)

// A flood is an answer that is far too large.
type flood struct {
	name  string
	body  llmtest.Body
	code  int
	tells string // what the error contains
	taken int64  // bytes that the client may read
	heap  uint64 // bytes by which the heap may grow
	limit int    // MaxTokens of the request; 0 means more than fit into the largest answer
	embed bool
}

func event(content string) string {
	return `data: {"choices":[{"delta":{"content":"` + content + `"}}]}` + "\n\n"
}

// Answers without end, and answers of a gigabyte, end with an error when the bound of
// their kind is reached, take little memory, and are not asked for again.
func TestHugeAnswers(t *testing.T) { // not parallel: it measures the heap
	var words strings.Builder // longer than the passages that are looked for in a loop
	for i := range 1000 {
		fmt.Fprintf(&words, "w%d ", i)
	}
	word := words.String()
	padded := `data: {"choices":[{"delta":{"content":"` + word + `"}}],"obfuscation":"` + strings.Repeat("x", 100*len(word)) + `"}` + "\n\n"
	for _, c := range []flood{
		{name: "endless stream", body: llmtest.Body{Piece: padded, Size: -1, Stream: true}, tells: "more than 64 MB", taken: 64 * mb, heap: 160 * mb},
		{name: "endless text in a stream", body: llmtest.Body{Piece: event(word), Size: -1, Stream: true}, tells: "more than 16 MB", taken: 20 * mb, heap: 160 * mb},
		{name: "stream of a request of 100 tokens", body: llmtest.Body{Piece: padded, Size: -1, Stream: true}, tells: "more than 4 MB", taken: 5 * mb, heap: 80 * mb, limit: 100},
		{name: "endless comments", body: llmtest.Body{Piece: ": " + strings.Repeat("ping ", 100) + "\n\n", Size: -1, Stream: true}, tells: "more than 64 MB", taken: 64 * mb, heap: 64 * mb},
		{name: "endless line", body: llmtest.Body{Head: "data: ", Piece: word, Size: -1, Stream: true}, tells: "more than 1 MB", taken: 2 * mb, heap: 64 * mb},
		{name: "empty choices", body: llmtest.Body{Head: `{"choices":[{"message":{"content":"x"}}`, Piece: strings.Repeat(",{}", 1000), Size: 10 * mb, Tail: `]}`}, taken: 16 * mb, heap: 96 * mb},
		{name: "empty parts", body: llmtest.Body{Head: `{"choices":[{"message":{"content":[{}`, Piece: strings.Repeat(",{}", 1000), Size: 10 * mb, Tail: `,{"type":"text","text":"x"}]}}]}`}, taken: 16 * mb, heap: 128 * mb},
		{name: "10 MB", body: llmtest.Body{Head: `{"choices":[{"message":{"content":"`, Piece: word, Size: 10 * mb, Tail: `. That was all, and no more."}}]}`}, taken: 16 * mb, heap: 160 * mb},
		{name: "10 MB for 100 tokens", body: llmtest.Body{Head: `{"choices":[{"message":{"content":"`, Piece: word, Size: 10 * mb, Tail: `"}}]}`}, tells: "more than 1 MB", taken: 2 * mb, heap: 64 * mb, limit: 100},
		{name: "1 GB", body: llmtest.Body{Head: `{"choices":[{"message":{"content":"`, Piece: word, Size: gb, Tail: `"}}]}`}, tells: "more than 16 MB", taken: 16 * mb, heap: 160 * mb},
		{name: "1 GB of gzip", body: llmtest.Body{Piece: strings.Repeat(" ", 64<<10), Size: gb, Gzip: true}, tells: "more than 16 MB", taken: 2 * mb, heap: 160 * mb},
		{name: "refusal of 1 GB", body: llmtest.Body{Head: `{"error":{"message":"`, Piece: word, Size: gb, Tail: `"}}`}, code: 400, tells: "answered 400", taken: mb, heap: 64 * mb},
		{name: "refusal of 1 GB of gzip", body: llmtest.Body{Piece: word, Size: gb, Gzip: true}, code: 400, tells: "answered 400", taken: 8 * mb, heap: 64 * mb},
		{name: "redirect with 1 GB", body: llmtest.Body{Piece: word, Size: gb}, code: 302, tells: "redirects", taken: mb, heap: 64 * mb},
		{name: "a vector of 1 GB", body: llmtest.Body{Head: `{"data":[{"index":0,"embedding":[0.1`, Piece: strings.Repeat(",0.1", 1000), Size: gb, Tail: `]}]}`}, tells: "too much", taken: 2 * mb, heap: 64 * mb, embed: true},
		{name: "a vector of 100,000 numbers", body: llmtest.Body{Head: `{"data":[{"index":0,"embedding":[0.1`, Piece: strings.Repeat(",0.1", 1000), Size: 400 << 10, Tail: `]}]}`}, tells: "more than 16384 numbers", taken: 2 * mb, heap: 64 * mb, embed: true},
		{name: "endless vectors", body: llmtest.Body{Head: `{"data":[{"index":0,"embedding":[1]}`, Piece: `,{"index":0,"embedding":[1]}`, Size: -1}, tells: "too much", taken: 2 * mb, heap: 64 * mb, embed: true},
		{name: "empty vectors", body: llmtest.Body{Head: `{"data":[{}`, Piece: strings.Repeat(",{}", 1000), Size: 300 << 10, Tail: `]}`}, tells: "more vectors than the 1 text", taken: 2 * mb, heap: 32 * mb, embed: true},
		{name: "vectors of 1 GB of gzip", body: llmtest.Body{Piece: strings.Repeat(" ", 64<<10), Size: gb, Gzip: true, Tail: "{}"}, tells: "too much", taken: 2 * mb, heap: 64 * mb, embed: true},
	} {
		t.Run(c.name, func(t *testing.T) { checkFlood(t, c) })
	}
}

// floods returns how many of the bodies a call gets: one, and a second where it finds out whether
// a text or the server is the reason.
func floods(c flood) int {
	if c.embed {
		return 2
	}
	return 1
}

func checkFlood(t *testing.T, c flood) {
	s := server(t, llmtest.Options{})
	retry := llm.Retry{FirstWait: time.Millisecond, MaxWait: time.Millisecond}
	at := client(t, openai.Config{BaseURL: s.URL()})
	s.Enqueue(llmtest.Reply{Status: c.code, Body: &c.body}, llmtest.Reply{Status: c.code, Body: &c.body})
	meter, cache := &llm.Meter{}, &llm.Cache{Dir: t.TempDir()}
	var err error
	grown := peakHeap(func() {
		if c.embed {
			_, _, err = llm.NewEmbedder(llm.EmbedConfig{Provider: at.Embedder(), Retry: retry, Meter: meter, Cache: cache}).Embed(t.Context(), []string{"a"})
			return
		}
		req := question()
		req.MaxTokens = cmp.Or(c.limit, 1<<20)
		_, err = llm.New(llm.Config{Provider: at.Chat(), Retry: retry, Meter: meter, Cache: cache}).Chat(t.Context(), req)
	})
	n := s.Counts()
	t.Logf("read %d kB, heap grew by %d kB, %v", n.BodyBytes>>10, grown>>10, err)
	if most := floods(c); n.Bodies > most {
		t.Fatalf("%d requests got %d bodies, want %d at most", n.Requests, n.Bodies, most)
	}
	if (err != nil) != (c.tells != "") || err != nil && !strings.Contains(err.Error(), c.tells) {
		t.Errorf("got %v, want an error with %q", err, c.tells)
	}
	if e, ok := errors.AsType[*llm.Error](err); err != nil && ok && e.Retryable {
		t.Errorf("%v is retryable", err)
	}
	if n.BodyBytes > c.taken+inBuffers {
		t.Errorf("the client read %d MB, want at most %d", n.BodyBytes/mb, c.taken/mb)
	}
	if grown > c.heap {
		t.Errorf("the heap grew by %d MB, want at most %d", grown/mb, c.heap/mb)
	}
	if stats, serr := cache.Stats(t.Context()); err != nil && (serr != nil || stats.Answers+stats.Vectors != 0) {
		t.Errorf("cached %+v, %v", stats, serr)
	}
	for task, used := range meter.Tasks() {
		if err != nil && used.Failed != 1 {
			t.Errorf("%s: %+v, want one failure", task, used)
		}
	}
}

// Headers have a bound too.
func TestHugeHeaders(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{Header: http.Header{"X-Padding": {strings.Repeat("x", mb)}}})
	_, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), question())
	if err == nil || !strings.Contains(err.Error(), "response headers exceeded") || s.Counts().Requests != 1 {
		t.Errorf("got %v after %d requests, want an error about headers", err, s.Counts().Requests)
	}
}
