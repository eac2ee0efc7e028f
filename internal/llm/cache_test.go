package llm_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

func TestDamagedEntriesAreRewritten(t *testing.T) {
	t.Parallel()
	for name, breakFile := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"half":      func(b []byte) []byte { return b[:len(b)/2] },
		"bit":       func(b []byte) []byte { b[len(b)-3] ^= 1; return b },
		"more":      func(b []byte) []byte { return append(b, '\n') },
		"foreign":   func([]byte) []byte { return []byte(`{"text":"forged"}`) },
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

func TestUnwritableCache(t *testing.T) {
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
