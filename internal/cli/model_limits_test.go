package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// modelsOf returns the models of a command with settings from variables.
func modelsOf(t *testing.T, variables map[string]string) (*environment, *models) {
	t.Helper()
	getenv := func(name string) string { return variables[name] }
	settings, err := config.Load(config.Sources{Dir: t.TempDir(), Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	env := &environment{settings: settings, Env: Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: getenv}}
	m, err := newModels(t.Context(), env, modelOptions{use: config.Use{Chat: true, Tasks: []string{"extract", "report"}}, cacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.close)
	return env, m
}

// The rates of the settings reach the limiters: those of the chat model do not delay the
// embedding model of the same server.
func TestRatesOfTheSettings(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{})
	t.Cleanup(server.Close)
	_, m := modelsOf(t, map[string]string{
		"NEORAG_BASE_URL": server.URL(), "NEORAG_MODEL": "m", "NEORAG_EMBEDDING_MODEL": "e", "NEORAG_REQUESTS_PER_MINUTE": "1",
	})
	for i, task := range []string{"extract", "report"} {
		chat, err := m.chat(task)
		if err != nil {
			t.Fatal(err)
		}
		wait := 20 * time.Second
		if i > 0 {
			wait = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		_, err = chat.Chat(ctx, llm.Request{Messages: []llm.Message{{Role: "user", Content: task}}})
		cancel()
		if (err != nil) != (i > 0) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("call %d at one a minute: %v", i+1, err)
		}
	}
	e, err := m.embedder("e")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	if n := server.Counts(); n.Chats != 1 || n.Embeds != 1 {
		t.Errorf("%d chats, %d embeddings, want one of each", n.Chats, n.Embeds)
	}
}

// The time limits of the settings reach the clients, and the error of each names the
// setting that raises it.
func TestTimeoutsOfTheSettings(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Fault: func(llmtest.Request) *llmtest.Reply { return &llmtest.Reply{Delay: time.Hour} }})
	t.Cleanup(server.Close)
	variables := map[string]string{
		"NEORAG_BASE_URL": server.URL(), "NEORAG_MODEL": "m", "NEORAG_EMBEDDING_MODEL": "e", "NEORAG_RERANK_BASE_URL": server.URL(), "NEORAG_RERANK_MODEL": "r",
		"NEORAG_IDLE_TIMEOUT": "40ms", "NEORAG_TIMEOUT_EXTRACT": "30ms", "NEORAG_IDLE_TIMEOUT_EXTRACT": "1m",
		"NEORAG_EMBEDDING_TIMEOUT": "20ms", "NEORAG_RERANK_TIMEOUT": "10ms",
	}
	env, m := modelsOf(t, variables)
	ask := func(task string) func() error {
		return func() error {
			chat, err := m.chat(task)
			if err != nil {
				return err
			}
			_, err = chat.Chat(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: task}}})
			return err
		}
	}
	for says, call := range map[string]func() error{
		"sent nothing for 40ms: raise models.chat.idle_timeout":                 ask("report"),
		"did not complete its answer within 30ms: raise models.extract.timeout": ask("extract"),
		"within 20ms: raise models.embedding.timeout": func() error {
			e, err := m.embedder("e")
			if err != nil {
				return err
			}
			_, err = e.Probe(t.Context())
			return err
		},
		"within 10ms: raise models.rerank.timeout": func() error {
			r, err := newReranker(env, config.Use{Chat: true})
			if err != nil {
				return err
			}
			defer r.Close()
			_, err = r.Rerank(t.Context(), "q", []string{"a"})
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
	}
	// A request that ends before it was sent reaches no server.
	if n := server.Counts().Requests; n > 3+3+3+1 {
		t.Errorf("%d requests, want at most three of each model and one of the reranker", n)
	}
}
