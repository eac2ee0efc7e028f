package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

const (
	defaultTokens = 4000
	minTokens     = 100
	maxTokens     = 12000
	maxQuestion   = 20000 // characters
	maxCorpora    = 32
	maxPatterns   = 100
)

type question struct {
	Question  string   `json:"question" jsonschema:"a complete question"`
	Corpora   []string `json:"corpora,omitempty" jsonschema:"which to search"`
	Method    string   `json:"method,omitempty" jsonschema:"one that corpora lists; default auto"`
	Filter    *filter  `json:"filter,omitempty"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"of the context"`
}

type filter struct {
	Documents []string `json:"documents,omitempty" jsonschema:"patterns such as minutes/*.md"`
	After     string   `json:"after,omitempty" jsonschema:"documents dated 2026-03-14 or later"`
	Before    string   `json:"before,omitempty"`
	Types     []string `json:"types,omitempty" jsonschema:"types of entities that the text mentions"`
}

// service returns the question for the service.
func (q question) service() service.Question {
	out := service.Question{Question: q.Question, Corpora: q.Corpora, Method: q.Method, MaxTokens: q.MaxTokens}
	if f := q.Filter; f != nil {
		out.Filter = &service.Filter{Documents: f.Documents, After: f.After, Before: f.Before, Types: f.Types}
	}
	return out
}

// limitQuestion bounds the arguments of questions.
func limitQuestion(argument func(string) *jsonschema.Schema) {
	argument("question").MinLength, argument("question").MaxLength = new(1), new(maxQuestion)
	argument("corpora").MaxItems = new(maxCorpora)
	for _, list := range []string{"documents", "types"} {
		argument("filter").Properties[list].MaxItems = new(maxPatterns)
	}
	limitTokens(argument("max_tokens"))
}

func limitTokens(s *jsonschema.Schema) {
	s.Minimum, s.Maximum = new(float64(minTokens)), new(float64(maxTokens))
}

func defaultsTo(s *jsonschema.Schema, tokens int) { s.Default = []byte(strconv.Itoa(tokens)) }

// A source is a block of a context, or what a statement of an answer rests on.
type source struct {
	N        int        `json:"n"`
	Kind     graph.Kind `json:"kind"`
	Title    string     `json:"title"`
	Corpus   string     `json:"corpus"`
	Key      string     `json:"key,omitempty"` // of a report, an entity or another node of the graph
	Document string     `json:"document,omitempty"`
	Start    int        `json:"start,omitempty"`
	End      int        `json:"end,omitempty"`
	Quote    string     `json:"quote,omitempty"`
}

func newSource(s source, key string) source {
	if s.Title = text.OneLine(s.Title); s.Document == "" {
		s.Key = key
	}
	return s
}

// String returns the source in one line.
func (s source) String() string {
	where := s.Key
	if s.Document != "" {
		where = fmt.Sprintf("document %s, start %d, end %d", s.Document, s.Start, s.End)
	}
	line := fmt.Sprintf("%s %d: %s (corpus %s, %s)", s.Kind, s.N, s.Title, s.Corpus, where)
	if s.Quote != "" {
		line += ": " + strconv.Quote(text.OneLine(s.Quote))
	}
	return line
}

type usage struct {
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"`
}

func usageOf(u query.Usage) usage {
	return usage{u.Calls, u.TokensIn, u.TokensOut, u.Cost}
}

type contextOutput struct {
	Text   string   `json:"text" jsonschema:"fenced evidence"`
	Blocks []source `json:"blocks"`
	Method string   `json:"method"`
	Notes  []string `json:"notes"`
	Usage  usage    `json:"usage"`
}

// addContext adds the tool that searches.
func (s *Server) addContext() {
	addTool(s, sdk.Tool{
		Name:        "context",
		Description: "Search indexed documents and their knowledge graph for a question, and return the evidence: answer from it.",
	}, func(argument func(string) *jsonschema.Schema) {
		limitQuestion(argument)
		defaultsTo(argument("max_tokens"), defaultTokens)
	}, func(ctx context.Context, q question) (contextOutput, string, error) {
		out, err := s.search(ctx, q)
		return out, out.readable(), err
	})
}

// search returns the context of a question.
func (s *Server) search(ctx context.Context, q question) (contextOutput, error) {
	if q.MaxTokens == 0 {
		q.MaxTokens = defaultTokens
	}
	c, err := s.Service.Context(ctx, q.service())
	if err != nil {
		return contextOutput{}, err
	}
	out := contextOutput{Blocks: []source{}, Method: c.Method, Notes: append([]string{}, c.Notes...), Usage: usageOf(c.Usage)}
	for _, b := range c.Blocks {
		out.Blocks = append(out.Blocks, newSource(source{N: b.N, Kind: b.Kind, Title: b.Title, Corpus: graph.CorpusOf(b.Key), Document: b.Document, Start: b.Start, End: b.End}, b.Key))
	}
	out.Text = fenced(c.Text)
	return out, nil
}

// readable returns a context for a model.
func (c contextOutput) readable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Context of %s by the method %s:\n%s", text.Count(len(c.Blocks), "block", "blocks"), c.Method, c.Text)
	writeSources(&b, "Blocks", c.Blocks)
	writeNotes(&b, c.Notes)
	return b.String()
}

// fenced puts a text of documents between two marks that it does not contain.
func fenced(text string) string {
	fence := prompts.Fence(text)
	return fence + "\n" + text + "\n" + fence
}

// writeSources lists sources, whose titles are of documents.
func writeSources(b *strings.Builder, what string, sources []source) {
	if len(sources) == 0 {
		return
	}
	lines := make([]string, len(sources))
	for i, s := range sources {
		lines[i] = s.String()
	}
	fmt.Fprintf(b, "\n\n%s:\n%s", what, fenced(strings.Join(lines, "\n")))
}

func writeNotes(b *strings.Builder, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(b, "\n\nNote: %s", n)
	}
}

type askOutput struct {
	State      string   `json:"state"`
	Answer     string   `json:"answer" jsonschema:"Markdown; [n] is reference n"`
	Context    string   `json:"context,omitempty" jsonschema:"after a timeout: fenced evidence"`
	References []source `json:"references"`
	Notes      []string `json:"notes"`
	Usage      usage    `json:"usage"`
}

// The states of an answer.
const (
	answered = "answered"
	timeout  = "timeout" // the answer has its context only
)

// addAsk adds the tool that answers by the model of the server.
func (s *Server) addAsk() {
	addTool(s, sdk.Tool{
		Name:        "ask",
		Description: fmt.Sprintf("Have another model write the answer, with references: slower than context. After %d seconds without an answer (state timeout) it returns the evidence: answer from it.", int(s.AnswerTime/time.Second)),
	}, limitQuestion, func(ctx context.Context, q question) (askOutput, string, error) {
		limited, cancel := context.WithTimeout(ctx, s.AnswerTime)
		a, err := s.Service.Ask(limited, q.service(), service.Events{})
		late := err != nil && isOver(limited) && !isOver(ctx)
		cancel()
		if late {
			return s.askLater(ctx, q)
		}
		if err != nil {
			return askOutput{}, "", err
		}
		out := askOutput{State: answered, Answer: a.Answer, References: []source{}, Notes: append([]string{}, a.Notes...), Usage: usageOf(a.Usage)}
		for _, r := range a.References {
			out.References = append(out.References, newSource(source{N: r.N, Kind: r.Kind, Title: r.Title, Corpus: r.Corpus, Document: r.Document, Start: r.Start, End: r.End, Quote: r.Quote}, r.Key))
		}
		var b strings.Builder
		b.WriteString("Answer:\n" + fenced(a.Answer))
		writeSources(&b, "References", out.References)
		writeNotes(&b, out.Notes)
		return out, b.String(), nil
	})
}

// isOver reports whether a context has ended or its deadline has passed: a connection that has the same deadline may
// fail a moment before the context ends.
func isOver(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return ctx.Err() != nil || limited && !time.Now().Before(deadline)
}

// askLater returns the context of a question whose answer takes too long: by its method, or by basic if that
// takes too long as well, because it waits for the model.
func (s *Server) askLater(ctx context.Context, q question) (askOutput, string, error) {
	limited, cancel := context.WithTimeout(ctx, s.ContextTime)
	c, err := s.search(limited, q)
	late := isOver(limited)
	cancel()
	if err != nil && (late || errors.Is(err, query.ErrNoContext)) && !isOver(ctx) {
		q.Method = "basic"
		c, err = s.search(ctx, q)
	}
	if err != nil {
		return askOutput{}, "", err
	}
	note := fmt.Sprintf("The model of NeoRAG did not answer within %v. Answer from the context.", s.AnswerTime)
	out := askOutput{State: timeout, Context: c.Text, References: c.Blocks, Notes: append([]string{note}, c.Notes...), Usage: c.Usage}
	return out, note + "\n\n" + c.readable(), nil
}
