package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// files are the paths of all files under a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCacheAnswersTheSecondTime(t *testing.T) {
	t.Parallel()
	cache := &llm.Cache{Dir: t.TempDir()}
	meter := &llm.Meter{}
	s, chat := chain(t, llmtest.Options{}, llm.Config{Cache: cache, Meter: meter, Price: llm.Price{In: 1e6}})
	first := mustAsk(t, chat, ask("q"))
	var shown []string
	req := ask("q")
	req.Task = "another" // the task does not change the answer
	req.Stream = func(delta string) { shown = append(shown, delta) }
	second := mustAsk(t, chat, req)
	if first.Cached || !second.Cached || second.Text != first.Text || s.Counts().Requests != 1 {
		t.Errorf("first %+v, second %+v after %d requests", first, second, s.Counts().Requests)
	}
	if diff := cmp.Diff([]string{"ok"}, shown); diff != "" {
		t.Errorf("streamed from the cache (-want +got):\n%s", diff)
	}
	want := map[string]llm.TaskUsage{
		"t":       {Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 1, Cost: 1}, Requests: 1},
		"another": {Requests: 1, Hits: 1},
	}
	if diff := cmp.Diff(want, meter.Tasks()); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
}

// Whatever can change an answer changes the key.
func TestCacheKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: `{"a":1}`} }})
	t.Cleanup(s.Close)
	seed := int64(1)
	base := openai.Config{BaseURL: s.URL(), Model: "m"}
	cases := []struct {
		name   string
		config func(*openai.Config)
		req    func(*llm.Request)
	}{
		{"base", func(*openai.Config) {}, func(*llm.Request) {}},
		{"model", func(c *openai.Config) { c.Model = "n" }, func(*llm.Request) {}},
		{"parameters", func(c *openai.Config) { c.Params = map[string]any{"top_p": 0.5} }, func(*llm.Request) {}},
		{"temperature", func(*openai.Config) {}, func(r *llm.Request) { r.Temperature = 0.5 }},
		{"tokens", func(*openai.Config) {}, func(r *llm.Request) { r.MaxTokens = 9 }},
		{"seed", func(*openai.Config) {}, func(r *llm.Request) { r.Seed = &seed }},
		{"bias", func(*openai.Config) {}, func(r *llm.Request) { r.LogitBias = map[string]int64{"1": 5} }},
		{"JSON", func(*openai.Config) {}, func(r *llm.Request) { r.JSON = true }},
		{"schema", func(*openai.Config) {}, func(r *llm.Request) { r.Schema = &llm.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)} }},
		{"schema's form", func(*openai.Config) {}, func(r *llm.Request) {
			r.Schema = &llm.Schema{Name: "s", JSON: []byte(`{"type":"object","required":["a"]}`)}
		}},
		{"message", func(*openai.Config) {}, func(r *llm.Request) { r.Messages[0].Content = "p" }},
		{"role", func(*openai.Config) {}, func(r *llm.Request) { r.Messages[0].Role = "system" }},
		{"split message", func(*openai.Config) {}, func(r *llm.Request) { r.Messages = append(r.Messages, llm.Message{Role: "user"}) }},
	}
	for pass := range 2 {
		s.Reset()
		for i, c := range cases {
			config, req := base, ask("q")
			c.config(&config)
			c.req(&req)
			client, err := openai.New(config)
			if err != nil {
				t.Fatal(err)
			}
			chat := llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: dir}})
			mustAsk(t, chat, req)
			client.Close()
			if want := (i + 1) * (1 - pass); s.Counts().Requests != want {
				t.Fatalf("pass %d: %s: %d requests so far, want %d", pass, c.name, s.Counts().Requests, want)
			}
		}
	}
}

// What is cut off, invalid, empty or refused is never stored.
func TestCacheKeepsOnlyValidAnswers(t *testing.T) {
	t.Parallel()
	short := func(string) error { return errors.New("too short") }
	schema := &llm.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)}
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		req   llm.Request
		fails bool
	}{
		{"truncated", llmtest.Reply{Text: `{"a":1}`, Finish: "length"}, llm.Request{Schema: schema}, true},
		{"unparseable", llmtest.Reply{Text: "I cannot."}, llm.Request{Schema: schema}, true},
		{"invalid text", llmtest.Reply{Text: "x"}, llm.Request{Valid: short}, true},
		{"invalid JSON", llmtest.Reply{Text: `{"a":1}`}, llm.Request{Schema: schema, Valid: short}, true},
		{"empty", llmtest.Reply{Text: "  "}, llm.Request{}, false},
		{"filtered", llmtest.Reply{Text: "x", Finish: "content_filter"}, llm.Request{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return c.reply }}, llm.Config{Cache: &llm.Cache{Dir: dir}})
			c.req.Messages = ask("q").Messages
			for range 2 {
				s.Reset()
				if _, err := chat.Chat(context.Background(), c.req); (err != nil) != c.fails {
					t.Errorf("error %v", err)
				}
				if s.Counts().Requests == 0 {
					t.Error("answered from the cache")
				}
			}
			if got := files(t, dir); got != nil {
				t.Errorf("stored %v", got)
			}
		})
	}
}

// A stored answer that a stricter check refuses is asked for anew.
func TestCacheChecksAgain(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: fmt.Sprint("answer ", r.N)}
	}}, llm.Config{Cache: &llm.Cache{Dir: t.TempDir()}})
	mustAsk(t, chat, ask("q"))
	req := ask("q")
	req.Valid = func(text string) error {
		if text == "answer 1" {
			return errors.New("old")
		}
		return nil
	}
	for range 2 {
		if res := mustAsk(t, chat, req); res.Text != "answer 2" {
			t.Errorf("got %q", res.Text)
		}
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestBrokenFilesAreRewritten(t *testing.T) {
	t.Parallel()
	for name, breakFile := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"half":      func(b []byte) []byte { return b[:len(b)/2] },
		"bit":       func(b []byte) []byte { b[len(b)-3] ^= 1; return b },
		"more":      func(b []byte) []byte { return append(b, '\n') },
		"not ours":  func([]byte) []byte { return []byte(`{"text":"forged"}`) },
		"no header": func(b []byte) []byte { return b[strings.IndexByte(string(b), '\n')+1:] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache := &llm.Cache{Dir: t.TempDir()}
			s, chat := chain(t, llmtest.Options{}, llm.Config{Cache: cache})
			mustAsk(t, chat, ask("q"))
			path := files(t, cache.Dir)[0]
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, breakFile(b), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := cache.Check(context.Background())
			if diff := cmp.Diff(llm.CacheCheck{Files: 1, Broken: []string{path}}, found); diff != "" || err != nil {
				t.Errorf("Check (-want +got):\n%s%v", diff, err)
			}
			for range 2 {
				if res := mustAsk(t, chat, ask("q")); res.Text != "ok" {
					t.Errorf("got %q", res.Text)
				}
			}
			if n := s.Counts().Requests; n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
			if found, err := cache.Check(context.Background()); err != nil || len(found.Broken) != 0 {
				t.Errorf("after rewriting: %+v, %v", found, err)
			}
		})
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var warned error
	_, chat := chain(t, llmtest.Options{}, llm.Config{Cache: &llm.Cache{Dir: path, Warn: func(err error) { warned = err }}})
	if res := mustAsk(t, chat, ask("q")); res.Text != "ok" || warned == nil {
		t.Errorf("answer %q, warning %v", res.Text, warned)
	}
}

// Equal questions under way at once are asked once, from many goroutines of two
// chains that share a folder, as two processes do.
func TestEqualQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, chat := chain(t, llmtest.Options{Latency: 50 * time.Millisecond}, llm.Config{Cache: &llm.Cache{Dir: dir}})
	other, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	chats := []llm.Chat{chat, llm.New(llm.Config{Provider: other.Chat(), Cache: &llm.Cache{Dir: dir}})}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if res, err := chats[i%2].Chat(context.Background(), ask(fmt.Sprint("q", i/2%2))); err != nil || res.Text != "ok" {
				t.Errorf("%q, %v", res.Text, err)
			}
		})
	}
	wg.Wait()
	if n := s.Counts().Requests; n < 2 || n > 4 {
		t.Errorf("%d requests for 2 questions in 2 processes, want at most 4", n)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	cache := &llm.Cache{Dir: t.TempDir()}
	if s, err := (&llm.Cache{Dir: filepath.Join(cache.Dir, "none")}).Stats(ctx); err != nil || s.Answers != 0 {
		t.Errorf("a folder that is not there: %+v, %v", s, err)
	}
	_, chat := chain(t, llmtest.Options{}, llm.Config{Cache: cache})
	for i := range 10 {
		mustAsk(t, chat, ask(strconv.Itoa(i)))
	}
	entries := files(t, cache.Dir)
	old := time.Now().Add(-48 * time.Hour)
	for _, path := range entries[:3] {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	foreign := filepath.Join(cache.Dir, "notes.txt")
	temp := filepath.Join(filepath.Dir(entries[5]), ".new-123")
	for _, path := range []string{foreign, temp} {
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	stats, err := cache.Stats(ctx)
	if err != nil || stats.Answers != 10 || stats.Bytes == 0 || !stats.Oldest.Before(time.Now().Add(-47*time.Hour)) {
		t.Errorf("Stats = %+v, %v", stats, err)
	}
	pruned, err := cache.Prune(ctx, time.Now().Add(-24*time.Hour), 0)
	if err != nil || pruned.Removed != 3 || pruned.Left != 7 {
		t.Errorf("by age: %+v, %v", pruned, err)
	}
	size := pruned.LeftBytes / 7
	pruned, err = cache.Prune(ctx, time.Time{}, 4*size+size/2)
	if err != nil || pruned.Left != 4 || pruned.Removed != 3 {
		t.Errorf("by size: %+v, %v", pruned, err)
	}
	left := files(t, cache.Dir)
	if len(left) != 5 {
		t.Errorf("left %v", left)
	}
	if check, err := cache.Check(ctx); err != nil || !cmp.Equal(check.Strange, []string{foreign}) {
		t.Errorf("Check = %+v, %v", check, err)
	}
}
