package rerank

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
)

// A reply without end is an error when its bound is reached, and so is one that is small
// only while it is compressed.
func TestHugeReplies(t *testing.T) {
	t.Parallel()
	const gb, inBuffers = 1 << 30, 16 << 20
	for name, send := range map[string]struct {
		status int
		zipped bool
		says   string
	}{
		"1 GB":                    {200, false, "more than"},
		"1 GB of gzip":            {200, true, "more than"},
		"refusal of 1 GB":         {500, false, "status 500"},
		"refusal of 1 GB of gzip": {500, true, "status 500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var begun, sent atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				begun.Add(1)
				var to io.Writer = w
				if send.zipped {
					w.Header().Set("Content-Encoding", "gzip")
					z := gzip.NewWriter(w)
					defer func() { _ = z.Close() }()
					to = z
				}
				w.WriteHeader(send.status)
				piece := strings.Repeat(" ", 1<<16)
				for sent.Load() < gb {
					n, err := io.WriteString(to, piece)
					sent.Add(int64(n))
					if err != nil {
						return
					}
				}
			}))
			defer server.Close()
			c, err := New(Config{BaseURL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, err = c.Rerank(t.Context(), "q", []string{"a", "b"})
			if err == nil || !strings.Contains(err.Error(), send.says) || begun.Load() != 1 {
				t.Errorf("got %v after %d replies, want an error with %q", err, begun.Load(), send.says)
			}
			if !send.zipped && sent.Load() > inBuffers {
				t.Errorf("the client read %d MB", sent.Load()>>20)
			}
		})
	}
}

func TestSilentServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		timeout, idle time.Duration
		reply         llmtest.Reply
		took          time.Duration
		says          string
	}{
		{"hangs before the headers", 0, 0, llmtest.Reply{Delay: time.Hour}, DefaultTimeout, "models.rerank.timeout"},
		{"hangs within the body", time.Minute, 2 * time.Second, llmtest.Reply{Body: &llmtest.Body{Head: "{", Piece: " ", Every: time.Hour, Size: -1}}, 2 * time.Second, "models.rerank.idle_timeout"},
		{"a byte each second", time.Minute, 2 * time.Second, llmtest.Reply{Body: &llmtest.Body{Head: "{", Piece: " ", Every: time.Second, Size: -1}}, time.Minute, "models.rerank.timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := llmtest.New(llmtest.Options{InMemory: true})
				defer s.Close()
				s.Enqueue(c.reply)
				client, err := New(Config{BaseURL: "http://llmtest.invalid/v1", Model: "m", Timeout: c.timeout, IdleTimeout: c.idle, Transport: s.Transport()})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				start := time.Now()
				_, err = client.Rerank(t.Context(), "q", []string{"a"})
				if took := time.Since(start); took != c.took || err == nil || !strings.Contains(err.Error(), c.says) || s.Counts().Requests != 1 {
					t.Errorf("got %v after %v, want an error with %q after %v", err, took, c.says, c.took)
				}
			})
		})
	}
}
