// Package query answers questions over an indexed corpus, with evidence. It
// reads the graph and never writes it.
//
// A method is one file: it finds a context, and hands it to one of two shared
// engines, map-reduce or answer from a context. Every statement of an answer
// carries the number of a reference, and every reference resolves to words in a
// document.
package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// Errors that callers decide on.
var (
	// ErrNotIndexed says that the corpus has nothing that the method could read.
	ErrNotIndexed = errors.New("nothing is indexed yet")
	// ErrUnknownMethod says that no method has that name.
	ErrUnknownMethod = errors.New("unknown method")
	// ErrNoQuestion says that the question is empty.
	ErrNoQuestion = errors.New("the question is empty")
)

// Options say how questions are answered. The zero value, but for the corpus, works.
type Options struct {
	Corpus      string
	Concurrency int        // map calls at once; 0 means the number of CPUs, or 16 with a model
	Model       *Model     // nil means without a model
	Embedder    Embedder   // of the corpus' vectors; nil where they are made without a model
	Reranker    Reranker   // of what a search found; nil: none
	Meter       *llm.Meter // of all calls to models; may be nil
	Logger      *slog.Logger
	Clock       func() time.Time
}

// An Engine answers questions over one or more corpora. Questions do not change
// it: many may be asked at the same time.
type Engine struct {
	store   *neo4jstore.Store
	options Options
	corpora []Corpus
}

// New prepares an engine. The store stays the caller's.
func New(store *neo4jstore.Store, o Options) (*Engine, error) {
	if err := graph.CheckCorpus(o.Corpus); err != nil {
		return nil, err
	}
	if o.Model != nil {
		o.Concurrency = cmp.Or(o.Concurrency, modelConcurrency)
		if err := o.Model.Prompts.Check(); err != nil {
			return nil, err
		}
	}
	o.Concurrency = cmp.Or(o.Concurrency, runtime.NumCPU())
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Meter == nil {
		o.Meter = &llm.Meter{}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Engine{store: store, options: o, corpora: []Corpus{{Name: o.Corpus, Embedder: o.Embedder}}}, nil
}

// Federate answers questions over several corpora of one server as over one. The
// options, except corpus and embedder, are those of the first engine. A method
// that cannot do that returns an error.
func Federate(engines ...*Engine) (*Engine, error) {
	if len(engines) == 0 {
		return nil, errors.New("answer over corpora together: there are none")
	}
	all := &Engine{store: engines[0].store, options: engines[0].options}
	var names []string
	for _, e := range engines {
		for _, c := range e.corpora {
			if slices.Contains(names, c.Name) {
				return nil, fmt.Errorf("answer over corpora together: %s is named twice", c.Name)
			}
			names = append(names, c.Name)
			all.corpora = append(all.corpora, c)
		}
	}
	all.options.Corpus = strings.Join(names, ",")
	return all, nil
}

// A Question is what is asked, and how. The zero value of every limit works.
type Question struct {
	Text         string
	Method       string  // empty means global
	Level        Level   // of the communities whose reports are read
	Seed         uint64  // of the order in which reports are packed
	MapTokens    int     // of one map window; 0 means 8,000
	ReduceTokens int     // of the window of points, or of the context; 0 means 8,000
	AnswerTokens int     // of an answer without a model; 0 means 400
	Spread       bool    // local: relationships are ranked by PageRank from the question's entities too
	RouteByModel bool    // auto: one call chooses the method
	Diversity    float64 // local: from 0 to 1, how much a chunk loses for saying what another says
	// Dynamic has global choose reports from the roots down to Level, in place of
	// reading all of Level.
	Dynamic bool
	// MaxCalls bounds the calls that rate reports with Dynamic, and those of drift;
	// without a model its follow-up questions. 0 means 16.
	MaxCalls int
	// MaxTokens bounds the context that drift reads in all; 0 means 48,000.
	MaxTokens int
	Filter    Filter // of what it is answered from
	// Tune changes settings of the search by name, for measuring; Tunes lists the
	// names of a method. What is not there has its default.
	Tuning map[string]float64
	// History is the conversation before the question, oldest turn first: the
	// question is answered as it would be asked without it.
	History       []Turn
	HistoryTokens int // of what a model sees of the history; 0 means 1,000
	// Asked, unless nil, gets the question in that form before it is answered,
	// if the history changed it.
	OnRewrite func(question string)
	// Stream, unless nil, gets an answer of a model in pieces while it is written,
	// references included.
	Stream func(delta string)
	// Progress, unless nil, hears what is done. Calls may come at once.
	Progress func(Progress)
}

// Progress is what an engine does for an answer.
type Progress struct {
	Stage string // rewriting, retrieving, map, reducing, answering
	Done  int
	Total int // 0 where it is not counted
}

// tell says what is done to whom it concerns.
func (q Question) tell(stage string, done, total int) {
	if q.Progress != nil {
		q.Progress(Progress{stage, done, total})
	}
}

func (q Question) withDefaults() Question {
	q.Method = cmp.Or(q.Method, "global")
	q.MapTokens = cmp.Or(q.MapTokens, 8000)
	q.ReduceTokens = cmp.Or(q.ReduceTokens, 8000)
	q.AnswerTokens = cmp.Or(q.AnswerTokens, 400)
	q.MaxCalls = cmp.Or(q.MaxCalls, 16)
	q.MaxTokens = cmp.Or(q.MaxTokens, 48000)
	q.HistoryTokens = cmp.Or(q.HistoryTokens, 1000)
	return q
}

// An Answer is the text and what it rests on, in the shape of `query --json`.
type Answer struct {
	Method     string      `json:"method"`
	Corpus     string      `json:"corpus"`
	Question   string      `json:"question"`
	Asked      string      `json:"asked,omitempty"` // the question as it stands alone, where a conversation changed it
	Answer     string      `json:"answer"`          // markdown, carries [n]
	References []Reference `json:"references"`
	Dangling   int         `json:"dangling"` // references that resolved to nothing and were taken out
	Usage      Usage       `json:"usage"`
	Seconds    float64     `json:"seconds"`
	Trace      string      `json:"trace"` // path of the file that keeps this answer
	Notes      []string    `json:"notes,omitempty"`
	Selection  *Selection  `json:"selection,omitempty"`  // of a dynamic global answer
	FollowUps  []FollowUp  `json:"follow_ups,omitempty"` // that drift asked, in their order
	// Choice is what auto chose; nil for other methods.
	Choice *Choice `json:"choice,omitempty"`
	// Context is what the answer was written from, where it was packed by kind.
	Context []ContextSection `json:"context,omitempty"`
}

// A ContextSection is what a context holds of a kind, best first.
type ContextSection struct {
	Kind    graph.Kind `json:"kind"`
	Tokens  int        `json:"tokens"`
	Keys    []string   `json:"keys"`
	LeftOut int        `json:"left_out"` // found, but without room
}

// A Reference says where a statement comes from, down to the words of a document.
type Reference struct {
	N        int        `json:"n"`
	Kind     graph.Kind `json:"kind"`
	Key      string     `json:"key"`
	Title    string     `json:"title"`
	Corpus   string     `json:"corpus"`
	Document string     `json:"document"`
	Chunk    string     `json:"chunk"` // key of the chunk that the quote stands in
	Start    int        `json:"start"` // byte offsets in the document's text
	End      int        `json:"end"`
	Quote    string     `json:"quote"`
}

// Usage is what an answer cost, and how much it read.
type Usage struct {
	Calls         int64   `json:"calls"`
	TokensIn      int64   `json:"tokens_in"`
	TokensOut     int64   `json:"tokens_out"`
	Cost          float64 `json:"cost"`
	ContextTokens int     `json:"context_tokens"` // of the reports or chunks read
	ContextItems  int     `json:"context_items"`
}

// Ask answers a question by its method.
func (e *Engine) Ask(ctx context.Context, q Question) (Answer, error) {
	q = q.withDefaults()
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return Answer{}, ErrNoQuestion
	}
	m, ok := methods[q.Method]
	if !ok {
		return Answer{}, fmt.Errorf("query: %w %q: choose one of %s", ErrUnknownMethod, q.Method, strings.Join(MethodNames(), ", "))
	}
	reader, err := e.scope(ctx, m, q.Filter)
	if err != nil {
		return Answer{}, fmt.Errorf("query %s: %w", q.Method, err)
	}
	start, used := e.options.Clock(), e.options.Meter.Total()
	question := q.Text
	text, notes, err := e.standalone(ctx, q)
	if err != nil {
		return Answer{}, fmt.Errorf("query: understand the question: %w", err)
	}
	q.Text, q.History = text, nil
	q.tell("retrieving", 0, 0)
	a, err := request{Question: q, options: e.options, reader: reader}.by(ctx, m)
	if err != nil {
		return Answer{}, fmt.Errorf("query %s: %w", q.Method, err)
	}
	a.Method, a.Corpus, a.Question = q.Method, e.options.Corpus, question
	if text != question {
		a.Asked = text
	}
	a.Notes = append(notes, a.Notes...)
	a.Seconds = e.options.Clock().Sub(start).Seconds()
	now := e.options.Meter.Total()
	a.Usage.Calls, a.Usage.Cost = now.Calls-used.Calls, now.Cost-used.Cost
	a.Usage.TokensIn, a.Usage.TokensOut = now.TokensIn-used.TokensIn, now.TokensOut-used.TokensOut
	if a.References == nil {
		a.References = []Reference{}
	}
	return a, nil
}
