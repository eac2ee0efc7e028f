// Package eval measures how well questions are served: the retrieval step of the
// methods against documents that are known to hold the answer, without a model.
package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// ErrQuestions says that a file holds no questions that can be read.
var ErrQuestions = errors.New("no set of questions")

// A Question has the names of the documents that hold its answer.
type Question struct {
	ID        string
	Text      string
	Type      string // empty where the file gives none
	Documents []string
}

// maxLine bounds a line of a file of questions, in bytes.
const maxLine = 1 << 20

// ReadQuestions reads a question a line, as JSON: {id, question, type,
// documents}. "evidence" is another name for documents. Without an id the number
// of the line is one. Other fields, such as the answer, are not looked at.
func ReadQuestions(r io.Reader) ([]Question, error) {
	var out []Question
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	seen := map[string]bool{}
	n := 0
	for lines.Scan() {
		n++
		body := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\uFEFF")))
		if len(body) == 0 {
			continue
		}
		q, err := parseQuestion(body, n)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", n, ErrQuestions, err)
		}
		if seen[q.ID] {
			return nil, fmt.Errorf("line %d: %w: the id %q stands twice", n, ErrQuestions, q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w: %w", n+1, ErrQuestions, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrQuestions)
	}
	return out, nil
}

func parseQuestion(body []byte, line int) (Question, error) {
	var raw struct {
		ID        any      `json:"id"` // a text or a number
		Question  string   `json:"question"`
		Type      string   `json:"type"`
		Documents []string `json:"documents"`
		Evidence  []string `json:"evidence"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return Question{}, fmt.Errorf("give one JSON object a line, {id, question, type, documents}: %w", err)
	}
	if raw.Question == "" {
		return Question{}, errors.New(`"question" is missing`)
	}
	q := Question{Text: raw.Question, Type: raw.Type, Documents: append(raw.Documents, raw.Evidence...)}
	switch id := raw.ID.(type) {
	case string:
		q.ID = id
	case float64:
		q.ID = strconv.FormatFloat(id, 'f', -1, 64)
	}
	q.ID = cmp.Or(q.ID, strconv.Itoa(line))
	return q, nil
}
