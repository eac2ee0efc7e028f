package userdata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/conversation"
	"github.com/neorag/neorag/internal/sys/userfile"
)

const (
	maxHistoryBytes = 16 << 20 // of the file
	maxHistoryTurns = 50       // that are remembered
)

// ErrHistory is returned for a file that is not a history.
var ErrHistory = errors.New("not a history")

// A History is the turns of a conversation, oldest first, and the file that stores
// them, if any, as JSON lines.
type History struct {
	Turns []conversation.Turn

	path   string
	folder Folder // notes the path
	warn   func(format string, args ...any)
}

// OpenHistory reads the turns of a file, which need not exist, and whose path is noted in the
// folder when a turn is added; if that fails, it warns. It skips incomplete lines, which a killed
// run may leave. Without a path the history is empty.
func (f Folder) OpenHistory(path string, warn func(format string, args ...any)) (*History, error) {
	h := &History{path: path, folder: f, warn: warn}
	if path == "" {
		return h, nil
	}
	body, err := userfile.Read(path, maxHistoryBytes)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w: %w: give another file", ErrHistory, err)
	}
	for n := 1; ; n++ {
		line, rest, complete := bytes.Cut(body, []byte("\n"))
		if !complete {
			return h, nil
		}
		body = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var turn conversation.Turn
		if err := json.Unmarshal(line, &turn); err != nil && !isTruncated(err) {
			return nil, fmt.Errorf("%s:%d: %w: expected {\"question\": ..., \"answer\": ...}: %w", path, n, ErrHistory, err)
		}
		if turn.Question != "" {
			h.remember(turn)
		}
	}
}

// remember adds a turn in memory, and drops the oldest beyond maxHistoryTurns.
func (h *History) remember(turn conversation.Turn) {
	h.Turns = append(h.Turns, turn)
	h.Turns = h.Turns[max(0, len(h.Turns)-maxHistoryTurns):]
}

// Add remembers a turn and appends it to the file with one write, so that
// concurrent runs do not mix their lines.
func (h *History) Add(a query.Answer) (err error) {
	turn := conversation.Turn{Question: a.Question, Asked: a.Asked, Answer: a.Answer, Corpus: a.Corpus, Documents: citedDocuments(a)}
	h.remember(turn)
	if h.path == "" {
		return nil
	}
	line, err := json.Marshal(turn)
	if err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	// A killed run left such a line, or another run is still writing it, which an extra empty
	// line does not harm.
	if userfile.EndsMidLine(h.path) {
		line = append([]byte("\n"), line...)
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("write the history: %w", cerr)
		}
	}()
	if err := h.folder.notePath(h.path); err != nil {
		h.warn("`neorag remove` will not find the history in %s: %v", h.path, err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	return nil
}

// citedDocuments returns the documents that an answer cites, sorted.
func citedDocuments(a query.Answer) []string {
	cited := map[string]bool{}
	for _, r := range a.References {
		if r.Document != "" {
			cited[r.Document] = true
		}
	}
	return slices.Sorted(maps.Keys(cited))
}

// isTruncated reports whether a line is the beginning of a turn.
func isTruncated(err error) bool {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	return ok && syntax.Error() == "unexpected end of JSON input"
}
