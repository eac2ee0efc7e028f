package cli

import (
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
	h, err := readHistory(path)
	if err != nil || len(h.turns) != 0 {
		t.Fatalf("a missing file: %v, %v", h, err)
	}
	a := query.Answer{Question: "and he?", Asked: "Who is Scrooge?", Answer: "A miser [1].\nYes."}
	if err := h.add(a); err != nil {
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
	if h, err = readHistory(path); err != nil || !cmp.Equal([]conversation.Turn{want}, h.turns) {
		t.Fatalf("with half a line: %+v, %v", h.turns, err)
	}
	if err := h.add(query.Answer{Question: "two", Answer: "2"}); err != nil {
		t.Fatal(err)
	}
	if h, err = readHistory(path); err != nil || len(h.turns) != 2 || h.turns[1].Question != "two" {
		t.Fatalf("after half a line: %+v, %v", h.turns, err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", maxHistoryBytes+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readHistory(path); err == nil {
		t.Error("a file that is too large: no error")
	}
}

// TestHistoryConcurrently checks that concurrent runs do not mix their lines.
func TestHistoryConcurrently(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "turns.jsonl")
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			h := &history{path: path}
			for range 5 {
				if err := h.add(query.Answer{Question: "q", Answer: strings.Repeat("long ", 2000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	h, err := readHistory(path)
	if err != nil || len(h.turns) != 40 {
		t.Errorf("%d turns, %v, want 40", len(h.turns), err)
	}
}
