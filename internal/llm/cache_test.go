package llm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// TestCacheOfOthers plants an answer with a correct checksum: it is believed only where nobody else
// could have written it. A folder that others can write to is not used, which is said once.
func TestCacheOfOthers(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("folders there are inherited from the profile")
	}
	for name, tt := range map[string]struct {
		change  func(dir, file string) error
		warns   bool
		written int // entries after two further calls
	}{
		"a folder for all":         {func(dir, _ string) error { return os.Chmod(dir, 0o777) }, true, 1},
		"a sticky folder":          {func(dir, _ string) error { return os.Chmod(dir, 0o777|os.ModeSticky) }, true, 1},
		"a folder of the group":    {func(dir, _ string) error { return os.Chmod(dir, 0o770) }, true, 1},
		"a folder of another user": {func(dir, _ string) error { return os.Chown(dir, 12345, 12345) }, true, 1},
		"an entry for all":         {func(_, file string) error { return os.Chmod(file, 0o666) }, false, 1},
		"an entry of another user": {func(_, file string) error { return os.Chown(file, 12345, 12345) }, false, 1},
		"a link": {func(_, file string) error {
			return errors.Join(os.Rename(file, file+".moved"), os.Symlink(file+".moved", file))
		}, false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasSuffix(name, "another user") && os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			dir := t.TempDir()
			s, client := connect(t, llmtest.Options{})
			with := func(c *llm.Cache) llm.Chat {
				return llm.New(llm.Config{Provider: client.Chat(), Retry: quick, Cache: c})
			}
			mustAsk(t, with(&llm.Cache{Dir: dir}), ask("q"))
			path := files(t, dir)[0]
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, forged(t, b), 0o600); err != nil {
				t.Fatal(err)
			}
			if res := mustAsk(t, with(&llm.Cache{Dir: dir}), ask("q")); res.Text != "forged" {
				t.Fatalf("in a folder of the user the answer is %q", res.Text)
			}
			if err := tt.change(dir, path); err != nil {
				t.Fatal(err)
			}
			var warnings []error
			cache := &llm.Cache{Dir: dir, Warn: func(err error) { warnings = append(warnings, err) }}
			chat := with(cache)
			for range 2 {
				if res := mustAsk(t, chat, ask("q")); res.Text != "ok" {
					t.Errorf("got %q", res.Text)
				}
			}
			if warns := len(warnings) == 1 && strings.Contains(warnings[0].Error(), dir); warns != tt.warns || !tt.warns && len(warnings) > 0 {
				t.Errorf("warnings are %v", warnings)
			}
			if n := s.Counts().Requests; tt.warns && n != 3 || !tt.warns && n != 2 {
				t.Errorf("%d requests", n)
			}
			if n := len(files(t, dir)); n != tt.written {
				t.Errorf("%d files", n)
			}
		})
	}
}

// forged returns an entry with another answer and the checksum of it.
func forged(t *testing.T, entry []byte) []byte {
	t.Helper()
	head, payload, found := bytes.Cut(entry, []byte("\n"))
	at := bytes.LastIndexByte(head, ' ')
	if !found || at < 0 || !bytes.Contains(payload, []byte(`"ok"`)) {
		t.Fatalf("an entry is %q", entry)
	}
	payload = bytes.Replace(payload, []byte(`"ok"`), []byte(`"forged"`), 1)
	return fmt.Appendf(nil, "%s%x\n%s", head[:at+1], sha256.Sum256(payload), payload)
}
