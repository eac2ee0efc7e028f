package userdata

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/conversation"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "turns.jsonl")
	folder := folderOf(t.TempDir())
	h, err := folder.OpenHistory(path, t.Errorf)
	if err != nil || len(h.Turns) != 0 {
		t.Fatalf("a missing file: %v, %v", h, err)
	}
	a := query.Answer{Question: "and he?", Asked: "Who is Scrooge?", Answer: "A miser [1].\nYes."}
	if err := h.Add(a); err != nil {
		t.Fatal(err)
	}
	torn, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := torn.WriteString(`{"question": "half`); err != nil {
		t.Fatal(err)
	}
	_ = torn.Close()
	want := conversation.Turn{Question: "and he?", Asked: "Who is Scrooge?", Answer: "A miser [1].\nYes."}
	if h, err = folder.OpenHistory(path, t.Errorf); err != nil || !cmp.Equal([]conversation.Turn{want}, h.Turns) {
		t.Fatalf("with half a line: %+v, %v", h.Turns, err)
	}
	if err := h.Add(query.Answer{Question: "two", Answer: "2"}); err != nil {
		t.Fatal(err)
	}
	if h, err = folder.OpenHistory(path, t.Errorf); err != nil || len(h.Turns) != 2 || h.Turns[1].Question != "two" {
		t.Fatalf("after half a line: %+v, %v", h.Turns, err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", maxHistoryBytes+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.OpenHistory(path, t.Errorf); !errors.Is(err, ErrHistory) {
		t.Errorf("a file that is too large: %v", err)
	}
}

// TestHistoryConcurrently checks that concurrent runs do not mix their lines.
func TestHistoryConcurrently(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "turns.jsonl")
	folder := folderOf(t.TempDir())
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			h := &History{path: path, folder: folder, warn: t.Errorf}
			for range 5 {
				if err := h.Add(query.Answer{Question: "q", Answer: strings.Repeat("long ", 2000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	h, err := folder.OpenHistory(path, t.Errorf)
	if err != nil || len(h.Turns) != 40 {
		t.Errorf("%d turns, %v, want 40", len(h.Turns), err)
	}
}
