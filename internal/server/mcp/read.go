package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/internal/view/reportbook"
)

type readInput struct {
	Corpus    string `json:"corpus,omitempty"`
	Document  string `json:"document,omitempty" jsonschema:"URI or key"`
	Report    string `json:"report,omitempty" jsonschema:"label or key"`
	Entity    string `json:"entity,omitempty" jsonschema:"name or key"`
	Start     int    `json:"start,omitempty" jsonschema:"byte"`
	MaxTokens int    `json:"max_tokens,omitempty"`
}

type readOutput struct {
	Kind   graph.Kind `json:"kind"`
	Corpus string     `json:"corpus"`
	Title  string     `json:"title"`
	Text   string     `json:"text"`
	Start  int        `json:"start"`
	Length int        `json:"length"`
	Next   int        `json:"next,omitempty" jsonschema:"where to read on; absent at the end"`
}

const (
	defaultReadTokens = 2000
	maxStart          = 2_000_000_000
	bytesPerToken     = 6 // more than almost any text has; what is too much is cut off
	maxName           = 4096
)

// addRead adds the tool that reads a part of a document, a report or an entity.
func (s *Server) addRead() {
	addTool(s, sdk.Tool{
		Name:        "read",
		Description: "Read on in a document, or read a report or an entity. Name exactly one, as other results do.",
	}, func(argument func(string) *jsonschema.Schema) {
		for _, name := range []string{"document", "report", "entity"} {
			argument(name).MaxLength = new(maxName)
		}
		argument("start").Minimum, argument("start").Maximum = new(0.0), new(float64(maxStart))
		limitTokens(argument("max_tokens"))
		defaultsTo(argument("max_tokens"), defaultReadTokens)
	}, s.read)
}

func (s *Server) read(ctx context.Context, in readInput) (out readOutput, readable string, err error) {
	named := 0
	for _, name := range []string{in.Document, in.Report, in.Entity} {
		if name != "" {
			named++
		}
	}
	if named != 1 {
		return out, "", service.NewError(service.Invalid, "name one document, report or entity", "")
	}
	if in.MaxTokens == 0 {
		in.MaxTokens = defaultReadTokens
	}
	if in.Corpus, err = s.corpusOf(ctx, in); err != nil {
		return out, "", err
	}
	switch {
	case in.Document != "":
		out, err = s.readDocument(ctx, in)
	case in.Report != "":
		out, err = s.readReport(ctx, in)
	default:
		out, err = s.readEntity(ctx, in)
	}
	if err != nil {
		return out, "", err
	}
	out.Text, out.Title = fenced(out.Text), text.OneLine(out.Title)
	var b strings.Builder
	fmt.Fprintf(&b, "The %s below, of the corpus %s, from byte %d of %d.", out.Kind, out.Corpus, out.Start, out.Length)
	if out.Next > 0 {
		fmt.Fprintf(&b, " To read on: start %d.", out.Next)
	}
	b.WriteString("\n" + out.Text)
	return out, b.String(), nil
}

// corpusOf returns the corpus of what is read: the one that is named, else the one that a key begins with, else
// the default.
func (s *Server) corpusOf(ctx context.Context, in readInput) (string, error) {
	if in.Corpus != "" {
		return in.Corpus, nil
	}
	list, err := s.Service.Corpora(ctx)
	if err != nil {
		return "", err
	}
	of := graph.CorpusOf(in.Document + in.Report + in.Entity)
	for _, c := range list {
		if c.Corpus == of {
			return of, nil
		}
	}
	return s.Service.DefaultOf(list)
}

// readDocument reads a part of a document's text.
func (s *Server) readDocument(ctx context.Context, in readInput) (readOutput, error) {
	end := in.Start + in.MaxTokens*bytesPerToken
	t, err := s.Service.Text(ctx, in.Corpus, in.Document, in.Start, end, 0)
	if err != nil {
		return readOutput{}, err
	}
	out := readOutput{Kind: graph.KindDocument, Corpus: in.Corpus, Title: t.Document.Title, Start: t.Start, Length: t.Length, Next: t.End}
	out.Text, err = cut(t.Quote, in.MaxTokens)
	switch {
	case err != nil:
		return out, err
	case t.Quote == "": // white space, or what is behind the end
		out.Start, out.Next = in.Start, end
	case len(out.Text) < len(t.Quote):
		// Where lines of the file end with two bytes, this is less than was read, and some is read again.
		out.Next = t.Start + len(out.Text)
	}
	if out.Next >= t.Length {
		out.Next = 0
	}
	return out, nil
}

// cut returns the beginning of a text.
func cut(s string, limit int) (string, error) {
	counter, err := tokens.Get(string(tokens.O200k))
	if err != nil {
		return "", err
	}
	return counter.Cut(s, limit), nil
}

// part sets the part of a whole text that is read.
func (out readOutput) part(whole string, in readInput) (readOutput, error) {
	out.Corpus, out.Start, out.Length = in.Corpus, min(in.Start, len(whole)), len(whole)
	before := text.Truncate(whole, out.Start)
	var err error
	if out.Text, err = cut(whole[len(before):], in.MaxTokens); err != nil {
		return out, err
	}
	out.Start = len(before)
	if next := out.Start + len(out.Text); next < len(whole) {
		out.Next = next
	}
	return out, nil
}

// readReport reads a report with what its numbers refer to.
func (s *Server) readReport(ctx context.Context, in readInput) (readOutput, error) {
	r, err := s.Service.Report(ctx, in.Corpus, in.Report)
	if err != nil {
		return readOutput{}, err
	}
	return readOutput{Kind: graph.KindReport, Title: r.Title}.part(reportText(r), in)
}

func reportText(r reportbook.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nReport %s, rated %.1f", strings.TrimSpace(r.Text), r.Label, r.Rating)
	if len(r.Children) > 0 {
		fmt.Fprintf(&b, ", with the narrower reports %s", strings.Join(r.Children, ", "))
	}
	for _, c := range r.References {
		fmt.Fprintf(&b, "\n[%d] %s %s (%s)", c.N, c.Kind, text.OneLine(c.Title), c.Key)
	}
	for _, d := range r.Documents {
		fmt.Fprintf(&b, "\nDocument: %s", d.URI)
	}
	return b.String()
}

// readEntity reads what the graph has of an entity.
func (s *Server) readEntity(ctx context.Context, in readInput) (readOutput, error) {
	e, err := s.Service.Entity(ctx, in.Corpus, in.Entity)
	if err != nil {
		return readOutput{}, err
	}
	return readOutput{Kind: graph.KindEntity, Title: e.Entity}.part(entityText(e), in)
}

func entityText(e service.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n%s\n%d relationships, mentioned in %d chunks\n", e.Entity, e.Type, e.Description, e.Relationships, e.Chunks)
	for _, list := range []struct {
		of    string
		lines []string
	}{{"Neighbours", e.Neighbours}, {"Claims", e.Claims}, {"Reports", e.Communities}, {"Documents", e.Documents}} {
		if len(list.lines) > 0 {
			fmt.Fprintf(&b, "%s:\n- %s\n", list.of, strings.Join(list.lines, "\n- "))
		}
	}
	return strings.TrimSpace(b.String())
}
