package llm_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	cache := &llm.Cache{Dir: t.TempDir()}
	if s, err := (&llm.Cache{Dir: filepath.Join(cache.Dir, "none")}).Stats(ctx); err != nil || s.Answers != 0 {
		t.Errorf("a folder that does not exist: %+v, %v", s, err)
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

// files returns the paths of all files under a folder.
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
