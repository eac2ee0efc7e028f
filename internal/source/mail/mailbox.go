package mail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
)

const maxMessages = 100_000

// ReadMailbox returns the messages of a mailbox, each as JSON.
func ReadMailbox(ctx context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	if !bytes.HasPrefix(raw, []byte("From ")) {
		return doc, nil, errors.New(`not a mailbox: it does not begin with "From "`)
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	var failures []parse.Failure
	for n, part := range splitMailbox(raw) {
		if ctx.Err() != nil {
			return doc, nil, context.Cause(ctx)
		}
		if n == maxMessages {
			return doc, nil, fmt.Errorf("more than %d messages: split the file", maxMessages)
		}
		m, err := parseMessage(ctx, part, with, 0)
		if err != nil {
			failures = append(failures, parse.FailureIn(doc, fmt.Errorf("message %d: %w", n+1, err)))
		}
		_ = lines.Encode(m) // a buffer never fails
	}
	doc.Text = out.String()
	return doc, failures, nil
}

// fromDate is the date in a line between messages, such as "From anna@x Mon May  6 10:00:00 2024".
// headerField is the first line of a header.
var (
	fromDate    = regexp.MustCompile(`^From .*\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*\d:\d\d.*\b\d{4}\b`)
	headerField = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*:`)
)

// splitMailbox returns the messages of a mailbox: a line that begins with "From " begins one, at the
// beginning or after a blank line, if it has a date or a header follows. Other such lines are text.
// Those that a program has quoted have a ">" before them.
func splitMailbox(raw []byte) [][]byte {
	var messages [][]byte
	var current []byte
	blank, end := true, 0
	for line := range bytes.Lines(raw) {
		end += len(line)
		if blank && bytes.HasPrefix(line, []byte("From ")) && (end == len(line) || fromDate.Match(line) || headerField.Match(raw[end:])) {
			messages = append(messages, current)
			current = nil
		} else if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, []byte("From ")) {
			current = append(current, line[1:]...)
		} else {
			current = append(current, line...)
		}
		blank = len(bytes.TrimSpace(line)) == 0
	}
	return append(messages, current)[1:]
}
