package openai_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// A server that hangs, or sends too slowly, ends each attempt after the limit of silence
// or the timeout, and the call after three attempts. The test runs in its own time, so
// that it tests the defaults too.
func TestSilentServers(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	answer := `{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`
	for _, c := range []struct {
		name          string
		timeout, idle time.Duration
		reply         llmtest.Reply
		took          time.Duration // of each attempt
		says          string
		embed         bool
		good          int // calls that succeed before
	}{
		{name: "hangs before the headers", reply: llmtest.Reply{Delay: hour}, took: 10 * time.Minute, says: "models.chat.timeout"},
		{name: "hangs before the headers of vectors", reply: llmtest.Reply{Delay: hour}, took: 10 * time.Minute, says: "models.embedding.timeout", embed: true},
		{name: "hangs before the headers, with settings", timeout: 5 * time.Minute, idle: time.Minute, reply: llmtest.Reply{Delay: hour}, took: time.Minute, says: "models.chat.idle_timeout"},
		{name: "hangs before the body", idle: time.Minute, reply: llmtest.Reply{Body: &llmtest.Body{Piece: " ", Every: hour, Size: -1}}, took: time.Minute, says: "models.chat.idle_timeout"},
		{name: "hangs within a stream", reply: llmtest.Reply{Body: &llmtest.Body{Head: event("a"), Piece: event("b"), Every: hour, Size: -1, Stream: true}}, took: openai.DefaultIdleTimeout, says: "models.chat.idle_timeout"},
		{name: "hangs within vectors", reply: llmtest.Reply{Body: &llmtest.Body{Head: `{"data":[`, Piece: " ", Every: hour, Size: -1}}, took: openai.DefaultIdleTimeout, says: "models.embedding.idle_timeout", embed: true},
		{name: "hangs within a refusal", reply: llmtest.Reply{Status: 500, Body: &llmtest.Body{Head: "broken", Piece: " ", Every: hour, Size: -1}}, took: 10 * time.Second, says: "500"},
		{name: "a refusal of a byte each second", reply: llmtest.Reply{Status: 500, Body: &llmtest.Body{Head: "broken", Piece: "!", Every: time.Second, Size: -1}}, took: 10 * time.Second, says: "500: broken!"},
		{name: "hangs after good answers", good: 3, reply: llmtest.Reply{Delay: hour}, took: 10 * time.Minute, says: "models.chat.timeout"},
		{name: "a byte each minute", reply: llmtest.Reply{Body: &llmtest.Body{Piece: " ", Every: time.Minute, Size: -1}}, took: 10 * time.Minute, says: "models.chat.timeout"},
		{name: "a comment each minute", reply: llmtest.Reply{Body: &llmtest.Body{Piece: ": ping\n\n", Every: time.Minute, Size: -1, Stream: true}}, took: 10 * time.Minute, says: "models.chat.timeout"},
		{name: "a byte each second, with settings", timeout: 20 * time.Second, idle: 2 * time.Second, reply: llmtest.Reply{Body: &llmtest.Body{Head: " ", Piece: " ", Every: time.Second, Size: -1}}, took: 20 * time.Second, says: "models.chat.timeout"},
		{name: "slow but complete", idle: 2 * time.Minute, reply: llmtest.Reply{Body: &llmtest.Body{Head: answer, Piece: " ", Every: time.Minute, Size: 5}}, took: 5 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := llmtest.New(llmtest.Options{InMemory: true})
				defer s.Close()
				config := openai.Config{BaseURL: "http://llmtest.invalid/v1", Model: "m", EmbeddingModel: "e", Timeout: c.timeout, IdleTimeout: c.idle, Transport: s.Transport()}
				if c.embed {
					config.Section = "models.embedding"
				}
				at, err := openai.New(config)
				if err != nil {
					t.Fatal(err)
				}
				defer at.Close()
				retry := llm.Retry{FirstWait: time.Millisecond, MaxWait: time.Millisecond}
				embedder := llm.NewEmbedder(llm.EmbedConfig{Provider: at.Embedder(), Retry: retry})
				chat := llm.New(llm.Config{Provider: at.Chat(), Retry: retry})
				for range c.good {
					if _, err := chat.Chat(t.Context(), question()); err != nil {
						t.Fatal(err)
					}
				}
				s.Reset()
				for range 8 {
					s.Enqueue(c.reply)
				}
				start := time.Now()
				if c.embed {
					_, _, err = embedder.Embed(t.Context(), []string{"a"})
				} else {
					_, err = chat.Chat(t.Context(), question())
				}
				took, n := time.Since(start), s.Counts().Requests
				attempts := 3
				switch {
				case c.says == "":
					attempts = 1
				case c.reply.Status > 0:
					attempts = 8 // the status is an answer
				}
				if n != attempts || took < time.Duration(n)*c.took || took > time.Duration(n)*c.took+time.Second {
					t.Errorf("%d requests in %v, want %d of %v", n, took, attempts, c.took)
				}
				if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want an error with %q", err, c.says)
				}
				if e, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || !e.Retryable) {
					t.Errorf("got %#v, want an error that is retryable", err)
				}
			})
		})
	}
}
