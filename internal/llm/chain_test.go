package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick is a Retry without the waits that real servers need.
var quick = llm.Retry{FirstWait: time.Millisecond, MaxWait: 5 * time.Millisecond}

// connect starts a server and returns it with a client.
func connect(t *testing.T, o llmtest.Options) (*llmtest.Server, *openai.Client) {
	t.Helper()
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	c, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m", EmbeddingModel: "e", Concurrency: 64})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return s, c
}

// inBubble runs a test in the time of testing/synctest: waiting takes no time, and what
// the test measures does not depend on the machine.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// connectInBubble does the same as connect within inBubble, over connections in memory.
func connectInBubble(t *testing.T, o llmtest.Options, c openai.Config) (*llmtest.Server, *openai.Client) {
	t.Helper()
	o.InMemory = true
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	c.BaseURL, c.Model, c.EmbeddingModel, c.Transport = "http://llmtest.invalid/v1", "m", "e", s.Transport()
	client, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return s, client
}

// chainInBubble does the same as chain within inBubble.
func chainInBubble(t *testing.T, o llmtest.Options, c llm.Config) (*llmtest.Server, llm.Chat) {
	t.Helper()
	s, client := connectInBubble(t, o, openai.Config{})
	c.Provider = client.Chat()
	if c.Retry == (llm.Retry{}) {
		c.Retry = quick
	}
	return s, llm.New(c)
}

// chain starts a server and returns it with a chain to it.
func chain(t *testing.T, o llmtest.Options, c llm.Config) (*llmtest.Server, llm.Chat) {
	t.Helper()
	s, client := connect(t, o)
	c.Provider = client.Chat()
	if c.Retry == (llm.Retry{}) {
		c.Retry = quick
	}
	return s, llm.New(c)
}

func ask(text string) llm.Request {
	return llm.Request{Task: "t", Messages: []llm.Message{{Role: "user", Content: text}}}
}

func mustAsk(t *testing.T, chat llm.Chat, req llm.Request) llm.Response {
	t.Helper()
	res, err := chat.Chat(context.Background(), req)
	if err != nil {
		t.Fatalf("Chat: %v", err)
	}
	return res
}

// status returns the HTTP status of an error, 0 without one.
func status(err error) int {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e.Status
	}
	return 0
}
