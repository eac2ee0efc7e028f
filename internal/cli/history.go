package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/neorag/neorag/internal/conversation"
	"github.com/neorag/neorag/internal/query"
)

// Bounds of a conversation: bytes of its file, and turns that are thought of.
const (
	mostHistory = 16 << 20
	mostTurns   = 50
)

// A history is the turns of a conversation, oldest first, and the file that
// keeps them, if there is one: a turn a line, as JSON.
type history struct {
	path  string
	turns []conversation.Turn
}

// readHistory reads the turns of a file, which need not be there yet. Half a
// turn, which a killed run left, is none.
func readHistory(path string) (*history, error) {
	h := &history{path: path}
	if path == "" {
		return h, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	defer func() { _ = f.Close() }()
	body, err := io.ReadAll(io.LimitReader(f, mostHistory+1))
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	if len(body) > mostHistory {
		return nil, usage("--history %s: it is larger than %d MB; give another file", path, mostHistory>>20)
	}
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(body, []byte("\n"))
		if !whole {
			return h, nil
		}
		body = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var turn conversation.Turn
		if err := json.Unmarshal(line, &turn); err != nil && !half(err) {
			return nil, usage("--history %s:%d: it is no turn: expected {\"question\": ..., \"answer\": ...}: %v", path, n, err)
		}
		if turn.Question != "" {
			h.remember(turn)
		}
	}
}

func (h *history) remember(turn conversation.Turn) {
	h.turns = append(h.turns, turn)
	h.turns = h.turns[max(0, len(h.turns)-mostTurns):]
}

// add appends a turn by one write, so that two runs never mix their lines.
func (h *history) add(a query.Answer) (err error) {
	turn := conversation.Turn{Question: a.Question, Asked: a.Asked, Answer: a.Answer}
	h.remember(turn)
	if h.path == "" {
		return nil
	}
	line, err := json.Marshal(turn)
	if err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("write the history: %w", cerr)
		}
	}()
	if torn(f) {
		line = append([]byte("\n"), line...)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	return nil
}

// torn reports whether the last line of a file has no end: a killed run left
// it, or another run is about to end it, which an empty line more does no harm.
func torn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// half reports whether a line is the beginning of a turn.
func half(err error) bool {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	return ok && syntax.Error() == "unexpected end of JSON input"
}
