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
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/conversation"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Errors that callers decide on.
var (
	// ErrNotIndexed means that a corpus has nothing that the method could read.
	ErrNotIndexed = retrieve.ErrNotIndexed
	// ErrUnknownMethod means that no method has that name.
	ErrUnknownMethod = errors.New("unknown method")
	// ErrUnknownPath means that the method has no path of that name.
	ErrUnknownPath = errors.New("unknown path")
	// ErrUnknownMode means that the method has no mode of that name.
	ErrUnknownMode = errors.New("unknown mode")
	// ErrNoVectors means that a corpus is to be searched by vectors of a model and has none.
	ErrNoVectors = retrieve.ErrNoVectors
	// ErrNoModel means that the method needs a chat model and the engine has none.
	ErrNoModel = errors.New("it needs a chat model, and none is set")
	// ErrNoQuestion means that the question is empty.
	ErrNoQuestion = errors.New("the question is empty")
)

// Options configure an Engine. All but Corpus may be zero.
type Options struct {
	Corpus      string
	Concurrency int               // of map calls; 0 means the number of CPUs, or 16 with a model
	Model       *synth.Model      // nil: answers are made without a model
	Embedder    retrieve.Embedder // of the corpus's vectors; nil if they were made without a model
	// Snapshots keeps the graphs of corpora for the methods that walk over them. Engines may share it;
	// nil is one of the engine alone, in memory.
	Snapshots *snapshot.Cache
	Reranker  retrieve.Reranker // of the chunks that a method ranks; nil for none
	Logger    *slog.Logger      // logs what failed and did not stop an answer; nil: none
}

// An Engine answers questions over one or more corpora. It is safe for
// concurrent use.
type Engine struct {
	store   *neo4jstore.Store
	options Options
	corpora []retrieve.Corpus
}

// New returns an engine over one corpus. The caller keeps the store and closes it.
func New(store *neo4jstore.Store, o Options) (*Engine, error) {
	if err := graph.CheckCorpus(o.Corpus); err != nil {
		return nil, err
	}
	if o.Model != nil {
		o.Concurrency = cmp.Or(o.Concurrency, llm.DefaultConcurrency)
		if err := o.Model.Prompts.Check(); err != nil {
			return nil, err
		}
	}
	o.Concurrency = cmp.Or(o.Concurrency, runtime.NumCPU())
	if o.Snapshots == nil {
		o.Snapshots = &snapshot.Cache{}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Engine{store: store, options: o, corpora: []retrieve.Corpus{{Name: o.Corpus, Embedder: o.Embedder}}}, nil
}

// Federate returns an engine that answers over the corpora of several engines
// of one server as over one corpus. It takes the options of the first engine,
// except that each corpus keeps its embedder. A method that can read only one
// corpus returns an error.
func Federate(engines ...*Engine) (*Engine, error) {
	if len(engines) == 0 {
		return nil, errors.New("federate corpora: none given")
	}
	all := &Engine{store: engines[0].store, options: engines[0].options}
	var names []string
	for _, e := range engines {
		for _, c := range e.corpora {
			if slices.Contains(names, c.Name) {
				return nil, fmt.Errorf("federate corpora: %s is named twice", c.Name)
			}
			names = append(names, c.Name)
			all.corpora = append(all.corpora, c)
		}
	}
	all.options.Corpus = strings.Join(names, ",")
	return all, nil
}

// Ask answers a question by its method.
func (e *Engine) Ask(ctx context.Context, q Question) (Answer, error) {
	start, meter := time.Now(), &llm.Meter{}
	ctx = llm.WithMeter(e.forCorpora(ctx), meter) // concurrent questions have separate meters
	r, m, notes, err := e.request(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	if q.Stream != nil {
		r.relay = &relay{stream: q.Stream, restart: q.OnRestart}
		r.Stream = r.relay.write
	}
	r.Step("retrieving", 0, 0)
	a, corrections, err := r.answerInRoom(ctx, m)
	notes = append(notes, corrections...)
	if err != nil {
		return Answer{}, fmt.Errorf("query %s: %w", m.Name, err)
	}
	r.relay.finish(a.Answer)
	a.Method, a.Corpus, a.Question, a.WrittenBy = m.Name, e.options.Corpus, r.asked, ByRules
	if e.options.Model != nil {
		a.WrittenBy = ByModel
	}
	if r.Text != r.asked {
		a.Asked = r.Text
	}
	a.Notes = append(notes, a.Notes...)
	a.Seconds = time.Since(start).Seconds()
	a.Usage.setCalls(meter)
	if a.References == nil {
		a.References, a.Citations = []cite.Reference{}, []cite.Citation{}
	}
	return a, nil
}

// forCorpora returns a context whose calls are made for the corpora of the engine.
func (e *Engine) forCorpora(ctx context.Context) context.Context {
	names := make([]string, len(e.corpora))
	for i, c := range e.corpora {
		names[i] = c.Name
	}
	return llm.WithUsers(ctx, names...)
}

// request returns the request of a question, condensed if it has a history, and its method. Notes
// say what the reader should know of how it was condensed.
func (e *Engine) request(ctx context.Context, q Question) (r Request, m Method, notes []string, err error) {
	q = q.withDefaults()
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return r, m, nil, ErrNoQuestion
	}
	m, ok := methods[q.Method]
	if !ok {
		return r, m, nil, fmt.Errorf("query: %w %q: choose one of %s", ErrUnknownMethod, q.Method, strings.Join(MethodNames(), ", "))
	}
	if err := m.checkPaths(q.Paths); err != nil {
		return r, m, nil, fmt.Errorf("query: %w", err)
	}
	reader, err := e.scope(ctx, m, q.Filter)
	if err != nil {
		return r, m, nil, fmt.Errorf("query %s: %w", q.Method, err)
	}
	condensed, notes, err := e.condense(ctx, q)
	if err != nil {
		return r, m, nil, fmt.Errorf("query: condense the question: %w", err)
	}
	r = Request{Question: q, Options: e.options, Reader: reader, asked: q.Text}
	r.Text, r.History, r.Stream = condensed, nil, nil
	return r, m, notes, nil
}

// answer answers by a method. Abbreviations that search does not find are spelled out before. Without a model, words that no document has are corrected before, and a
// courtesy is returned.
func (r Request) answer(ctx context.Context, m Method) (a Answer, notes []string, err error) {
	if l, is := courtesyOf(r.Text); is && !r.ForModel() {
		return Answer{Answer: wordings[l].courtesy}, nil, nil
	}
	if r.Text, notes, err = r.spelledOut(ctx); err != nil {
		return Answer{}, nil, err
	}
	text, corrections, err := r.corrected(ctx)
	if err != nil {
		return Answer{}, nil, err
	}
	r.Text, notes = text, append(notes, corrections...)
	a, err = r.RunMethod(ctx, m)
	return a, notes, err
}

// condense returns the question as it would be asked without its history.
func (e *Engine) condense(ctx context.Context, q Question) (condensed string, notes []string, err error) {
	if len(q.History) == 0 {
		return q.Text, nil, nil
	}
	condensed = conversation.Condense(q.Text, q.History)
	if e.options.Model != nil {
		q.Step("rewriting", 0, 0)
		c := conversation.Condenser{Chat: e.options.Model.Answer, Prompts: e.options.Model.Prompts, HistoryTokens: q.HistoryTokens}
		byModel, err := c.Condense(ctx, q.Text, q.History)
		if condensed, notes, err = Fallback(ctx, byModel, err, condensed, "The question was condensed by rules, since the model failed"); err != nil {
			return "", nil, err
		}
	}
	if condensed != q.Text && q.OnRewrite != nil {
		q.OnRewrite(condensed)
	}
	return condensed, notes, nil
}

// Retrieve runs the search of a method without writing an answer, so that the
// quality of the search can be measured against known evidence without a model
// that writes.
func (e *Engine) Retrieve(ctx context.Context, q Question) (retrieve.Ranking, error) {
	ctx = e.forCorpora(ctx)
	q = q.withVariant().withDefaults()
	if q.Text = strings.TrimSpace(q.Text); q.Text == "" {
		return retrieve.Ranking{}, ErrNoQuestion
	}
	m := methods[q.Method]
	if m.Retrieve == nil {
		return retrieve.Ranking{}, fmt.Errorf("retrieve: %w %q: choose one of %s", ErrUnknownMethod, q.Method, strings.Join(RetrievalMethods(), ", "))
	}
	if err := m.checkPaths(q.Paths); err != nil {
		return retrieve.Ranking{}, fmt.Errorf("retrieve: %w", err)
	}
	for name := range q.Tuning {
		if !slices.Contains(m.Tuning, name) {
			return retrieve.Ranking{}, fmt.Errorf("retrieve by %s: no setting %q: choose one of %s", q.Method, name, strings.Join(TuningNames(q.Method), ", "))
		}
	}
	reader, err := e.scope(ctx, m, q.Filter)
	if err != nil {
		return retrieve.Ranking{}, fmt.Errorf("retrieve by %s: %w", q.Method, err)
	}
	if reader, err = reader.Pin(ctx); err != nil {
		return retrieve.Ranking{}, err
	}
	found, err := m.Retrieve(ctx, Request{Question: q, Options: e.options, Reader: reader})
	if err != nil {
		return retrieve.Ranking{}, fmt.Errorf("retrieve by %s: %w", q.Method, err)
	}
	return found, nil
}
