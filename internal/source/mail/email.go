// Package mail reads messages and mailboxes.
package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"github.com/jhillyerd/enmime/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

const (
	maxForwarded  = 8   // messages in messages
	maxMultiparts = 500 // of a message
)

// A Message is what is read of an email.
type Message struct {
	Text, Title, Date, From, To string
}

// Read keeps the main headers, the text, and the names of the attachments of a message.
// Messages that it forwards as attachments follow.
func Read(ctx context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	m, err := parseMessage(ctx, raw, with, 0)
	if err != nil {
		return doc, nil, err
	}
	doc.Text, doc.Title, doc.Date = m.Text, cmp.Or(m.Title, doc.Title), cmp.Or(m.Date, doc.Date)
	doc.Metadata = parse.Metadata(map[string]string{"author": m.From, "to": m.To})
	return doc, nil, nil
}

// parseMessage reads a message. depth is the number of messages around it.
func parseMessage(ctx context.Context, raw []byte, with parse.Options, depth int) (Message, error) {
	if n := bytes.Count(raw, []byte("boundary=")); n > maxMultiparts { // each is read once for each around it
		return Message{}, fmt.Errorf("%d parts of several parts, more than %d", n, maxMultiparts)
	}
	parser := enmime.NewParser(enmime.DisableTextConversion(true), enmime.SkipMalformedParts(true), enmime.MaxStoredPartErrors(1),
		enmime.DisableCharacterDetection(true), enmime.SetCustomParseMediaType(parseMediaType))
	e, err := parser.ReadEnvelope(bytes.NewReader(raw))
	if err != nil {
		return Message{}, fmt.Errorf("not an email: %w", parse.FirstLine(err))
	}
	header := func(name string) string { return decode.CleanLine(decodeHeader(e.Root.Header.Get(name), with)) }
	m := Message{Title: header("Subject"), From: header("From"), To: header("To")}
	if m.Title+m.From+m.To == "" {
		return Message{}, errors.New("not an email: no sender, recipient or subject")
	}
	if sent, err := mail.ParseDate(header("Date")); err == nil {
		m.Date = sent.Format("2006-01-02T15:04")
	}
	var lines []string
	for _, h := range [][2]string{{"From", m.From}, {"To", m.To}, {"Cc", header("Cc")}, {"Date", strings.Replace(m.Date, "T", " ", 1)}, {"Subject", m.Title}} {
		if h[1] != "" {
			lines = append(lines, h[0]+": "+h[1])
		}
	}
	blocks := []string{strings.Join(lines, "\n"), partText(ctx, e.Root, with)}
	var names []string
	for _, p := range append(append(e.Attachments, e.Inlines...), e.OtherParts...) {
		if name := decode.CleanLine(p.FileName); name != "" {
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
