package llm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// TestPurge checks that answers that hold a text are removed, also from before uses were
// recorded, except those that another corpus got.
func TestPurge(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "Answer on " + r.Last()} }})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	dir := t.TempDir()
	ask := func(texts []string, users ...string) {
		t.Helper()
		chat := llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: dir}})
		for _, text := range texts {
			if _, err := chat.Chat(llm.WithUsers(t.Context(), users...), llm.Request{Messages: []llm.Message{{Role: "user", Content: text}}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask([]string{"secret one", "secret two", "secret three", "open one", `{"a": "s\u0065cret"}`}, "mine")
	ask([]string{"secret two"}, "mine", "other") // from the cache
	ask([]string{"secret old"})                  // no use is recorded
	cache := &llm.Cache{Dir: dir}
	left := func() (n int) {
		t.Helper()
		s, err := cache.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.Answers
	}
	if left() != 6 {
		t.Fatalf("%d answers", left())
	}
	holds := func(text string) bool { return strings.Contains(text, "secret") }
	r, err := cache.Purge(t.Context(), "mine", holds)
	if want := (llm.CachePurged{Removed: 4, Shared: 1}); err != nil || r != want || left() != 2 {
		t.Errorf("Purge: %+v, %v, want %+v; %d answers are left", r, err, want, left())
	}
	if err := cache.RemoveUser("other"); err != nil {
		t.Fatal(err)
	}
	if r, err := cache.Purge(t.Context(), "mine", holds); err != nil || r.Removed != 1 {
		t.Errorf("without the other corpus: %+v, %v", r, err)
	}
	if check, err := cache.Check(t.Context()); err != nil || len(check.Strange)+len(check.Broken) > 0 {
		t.Errorf("Check: %+v, %v", check, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "users", "mine")); err != nil {
		t.Error(err)
	}
}
