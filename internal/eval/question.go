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

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// ErrQuestions is the cause of errors about a file of questions.
var ErrQuestions = errors.New("invalid questions")

// A Question has the names of the documents that contain its answer, its evidence, and the known
// answer, as far as the file has them.
type Question = evalrun.Question

// maxLine is the longest line of a file of questions, in bytes.
const maxLine = 1 << 20

// ReadQuestions reads questions from JSON lines: {id, question, type, documents, answer},
// where "evidence" is another name for documents. The id is the number of the line unless it is
// given. Other fields are ignored.
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
			return nil, fmt.Errorf("%w: line %d: %w", ErrQuestions, n, err)
		}
		if seen[q.ID] {
			return nil, fmt.Errorf("%w: line %d: duplicate id %q", ErrQuestions, n, q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrQuestions, n+1, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: the file is empty", ErrQuestions)
	}
	return out, nil
}

func parseQuestion(body []byte, line int) (Question, error) {
	var raw struct {
		ID        any      `json:"id"` // a string or a number
		Question  string   `json:"question"`
		Type      string   `json:"type"`
		Documents []string `json:"documents"`
		Evidence  []string `json:"evidence"`
		Answer    any      `json:"answer"` // a string; others are not known answers
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return Question{}, fmt.Errorf("write one JSON object per line, {id, question, type, documents}: %w", err)
	}
	if raw.Question == "" {
		return Question{}, errors.New(`"question" is missing`)
	}
	q := Question{Text: raw.Question, Type: raw.Type, Documents: append(raw.Documents, raw.Evidence...)}
	q.Answer, _ = raw.Answer.(string)
	switch id := raw.ID.(type) {
	case string:
		q.ID = id
	case float64:
		q.ID = strconv.FormatFloat(id, 'f', -1, 64)
	}
	q.ID = cmp.Or(q.ID, strconv.Itoa(line))
	return q, nil
}
