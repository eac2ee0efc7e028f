package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"github.com/neorag/neorag/internal/graph"
)

var (
	_ = register(format{mime: "message/rfc822", extensions: []string{".eml"}, read: readEmail, sandboxed: true})
	_ = register(format{mime: "application/mbox", extensions: []string{".mbox", ".mbx"}, read: readMailbox, sandboxed: true, records: readMessages})
)

const (
	maxForwarded  = 8 // messages in messages
	maxMessages   = 100_000
	maxMultiparts = 500 // of a message
)

// A message is what is read of an email.
type message struct {
	Text, Title, Date, From, To string
}

// readEmail keeps the main headers, the text, and the names of the attachments of a message.
// Messages that it forwards as attachments follow.
func readEmail(ctx context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	m, err := parseMessage(ctx, raw, with, 0)
	if err != nil {
		return doc, nil, err
	}
	doc.Text, doc.Title, doc.Date = m.Text, cmp.Or(m.Title, doc.Title), cmp.Or(m.Date, doc.Date)
	doc.Metadata = metadata(map[string]string{"author": m.From, "to": m.To})
	return doc, nil, nil
}

// parseMessage reads a message. depth is the number of messages around it.
func parseMessage(ctx context.Context, raw []byte, with parsing, depth int) (message, error) {
	if n := bytes.Count(raw, []byte("boundary=")); n > maxMultiparts { // each is read once for each around it
		return message{}, fmt.Errorf("%d parts of several parts, more than %d", n, maxMultiparts)
	}
	parser := enmime.NewParser(enmime.DisableTextConversion(true), enmime.SkipMalformedParts(true), enmime.MaxStoredPartErrors(1))
	e, err := parser.ReadEnvelope(bytes.NewReader(raw))
	if err != nil {
		return message{}, fmt.Errorf("not an email: %w", firstLine(err))
	}
	m := message{Title: cleanLine(e.GetHeader("Subject")), From: cleanLine(e.GetHeader("From")), To: cleanLine(e.GetHeader("To"))}
	if m.Title+m.From+m.To == "" {
		return message{}, errors.New("not an email: no sender, recipient or subject")
	}
	if sent, err := mail.ParseDate(e.GetHeader("Date")); err == nil {
		m.Date = sent.Format("2006-01-02T15:04")
	}
	var lines []string
	for _, h := range [][2]string{{"From", m.From}, {"To", m.To}, {"Cc", cleanLine(e.GetHeader("Cc"))}, {"Date", strings.Replace(m.Date, "T", " ", 1)}, {"Subject", m.Title}} {
		if h[1] != "" {
			lines = append(lines, h[0]+": "+h[1])
		}
	}
	blocks := []string{strings.Join(lines, "\n"), messageText(ctx, e, with)}
	var names []string
	for _, p := range append(append(e.Attachments, e.Inlines...), e.OtherParts...) {
		if name := cleanLine(p.FileName); name != "" {
			names = append(names, name)
		}
		if p.ContentType != "message/rfc822" || depth == maxForwarded {
			continue
		}
		if inner, err := parseMessage(ctx, p.Content, with, depth+1); err == nil {
			blocks = append(blocks, inner.Text)
		}
	}
	if len(names) > 0 {
		blocks = append(blocks, "Attachments: "+strings.Join(names, ", "))
	}
	m.Text = joinBlocks(blocks)
	return m, nil
}

// messageText returns the text of a message, made from its HTML if it has no other.
func messageText(ctx context.Context, e *enmime.Envelope, with parsing) string {
	if hasText(e.Text) || e.HTML == "" {
		return clean(e.Text)
	}
	with.wholePage = true
	page, _, err := readHTML(ctx, []byte(e.HTML), graph.Document{URI: "message.html"}, with)
	if err != nil {
		return ""
	}
	return page.Text
}

// joinBlocks joins the texts that are not empty by blank lines.
func joinBlocks(blocks []string) string {
	var kept []string
	for _, b := range blocks {
		if b = strings.Trim(b, " \t\n"); b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}

// readMailbox returns the messages of a mailbox, each as JSON.
func readMailbox(ctx context.Context, raw []byte, doc graph.Document, with parsing) (graph.Document, []Failure, error) {
	if !bytes.HasPrefix(raw, []byte("From ")) {
		return doc, nil, errors.New(`not a mailbox: it does not begin with "From "`)
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	var failures []Failure
	for n, part := range splitMailbox(raw) {
		if ctx.Err() != nil {
			return doc, nil, context.Cause(ctx)
		}
		if n == maxMessages {
			return doc, nil, fmt.Errorf("more than %d messages: split the file", maxMessages)
		}
		m, err := parseMessage(ctx, part, with, 0)
		if err != nil {
			failures = append(failures, Failure{URI: doc.URI, Root: doc.Root, Err: fmt.Errorf("read %s: message %d: %w", doc.URI, n+1, err)})
		}
		_ = lines.Encode(m) // a buffer never fails
	}
	doc.Text = out.String()
	return doc, failures, nil
}

// splitMailbox returns the messages of a mailbox: a line that begins with "From " begins one, at the
// beginning or after a blank line. Such lines of a message have a ">" before them.
func splitMailbox(raw []byte) [][]byte {
	var messages [][]byte
	var current []byte
	blank := true
	for line := range bytes.Lines(raw) {
		if blank && bytes.HasPrefix(line, []byte("From ")) {
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

// readMessages makes a document of each message that readMailbox found.
func readMessages(text io.Reader, r *records) error {
	messages := json.NewDecoder(text)
	r.fields = nil
	for {
		var m message
		if err := messages.Decode(&m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.row++
		if m.Text == "" {
			continue // it failed
		}
		if err := r.add(0, map[string]string{"text": m.Text, "title": m.Title, "date": m.Date, "author": m.From, "to": m.To}, false); err != nil {
			return err
		}
	}
}
