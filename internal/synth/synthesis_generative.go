package synth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/sanitize"
	"github.com/neorag/neorag/internal/tokens"
	"github.com/neorag/neorag/prompts"
)

// The tasks by which calls are counted.
const (
	TaskMap    = "map"
	TaskAnswer = "answer"
)

// A Model is the chat models that answer questions, and their prompts.
type Model struct {
	Map, Answer llm.Chat
	Prompts     prompts.Set
}

// A reportReader reads reports by key, whole.
type reportReader interface {
	ReportTexts(ctx context.Context, keys []string) ([]graph.Report, error)
}

// Generative answers by a model.
type Generative struct {
	Model       *Model
	Concurrency int          // calls at the same time
	Reports     reportReader // reads what an answer cites of reports without statements
}

var _ Synthesizer = Generative{}

// MapReduce asks for points window by window, and for an answer from the best.
// A note names what could not be read; when nothing could, that is an error.
func (g Generative) MapReduce(ctx context.Context, r Request, blocks []Block) (Draft, error) {
	windows, err := g.askWindows(ctx, r, mapWindows(blocks, r.MapTokens))
	if err != nil {
		return Draft{}, fmt.Errorf("map: %w", err)
	}
	lost, note, err := missing(windows, kindWord(blocks))
	if err != nil {
		return Draft{}, err
	}
	var readings []Reading
	for _, w := range windows {
		if w.err == nil {
			readings = append(readings, Reading{Answer: w.answer, Blocks: w.blocks, prompt: w.prompt})
		}
	}
	d, err := g.Reduce(ctx, r, readings, false)
	if err != nil {
		return Draft{}, err
	}
	all := draftOf(blocks)
	d.Blocks, d.Tokens, d.Lost = all.Blocks, all.Tokens, lost
	if lost > 0 {
		d.Notes = append([]string{note}, d.Notes...)
	}
	return d, nil
}

// points asks for the points of one window, as JSON.
func (g Generative) points(ctx context.Context, r Request, p windowPrompt) (string, error) {
	return g.Model.AskJSON(ctx, Call{
		Task: TaskMap, Prompt: prompts.Map, Values: prompts.Values{"kind": p.kind, "question": r.Question, "context": p.text},
		Valid: func(answer string) error { _, err := parsePoints(answer); return err },
	})
}

// A Call asks a model for JSON.
type Call struct {
	Task   string // by which it is counted
	Prompt string
	Schema string // the name of the answer's schema; empty means that of the prompt
	Values prompts.Values
	Valid  func(answer string) error // checks the answer; an invalid one is asked for again
}

// AskJSON asks the model that maps, and returns its JSON.
func (m *Model) AskJSON(ctx context.Context, c Call) (string, error) {
	p, err := m.Prompts.Get(c.Prompt)
	if err != nil {
		return "", err
	}
	if c.Schema == "" {
		c.Schema = c.Prompt
	}
	system, user := p.Render(c.Values)
	res, err := m.Map.Chat(ctx, llm.Request{
		Task: c.Task, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema: &llm.Schema{Name: c.Schema, JSON: p.Schema}, Valid: c.Valid,
	})
	return res.Text, err
}

// A Reading is blocks with the points that a model found in them.
type Reading struct {
	Answer string // of the model, as JSON; without a model empty
	Blocks []Block

	prompt windowPrompt
}

// Read asks for the points of some blocks, and for whatever else the call's
// prompt asks for; valid checks the answer beyond its points. It fills in the
// call's values "kind" and "context".
func (g Generative) Read(ctx context.Context, c Call, blocks []Block) (Reading, error) {
	p := newWindowPrompt(blocks)
	c.Values["kind"], c.Values["context"] = p.kind, p.text
	valid := c.Valid
	c.Valid = func(answer string) error {
		if _, err := parsePoints(answer); err != nil {
			return err
		}
		return valid(answer)
	}
	answer, err := g.Model.AskJSON(ctx, c)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Answer: answer, Blocks: blocks, prompt: p}, nil
}

// Reduce writes an answer from the best points of all readings that fit into a
// window, each once. With citedOnly, points that cite nothing are left out.
// Without points the draft is empty.
func (g Generative) Reduce(ctx context.Context, r Request, readings []Reading, citedOnly bool) (Draft, error) {
	var d Draft
	var numbers report.Numbers
	var points []point
	var blocks []Block
	for _, reading := range readings {
		found, removed := checkPoints(reading.Answer, reading.prompt.offered, &numbers)
		d.Dangling += removed
		for _, p := range found {
			if !citedOnly || cite.HasNumbers(p.text) {
				points = append(points, p)
			}
		}
		blocks = append(blocks, reading.Blocks...)
	}
	if len(points) == 0 {
		return d, nil
	}
	refs := numbers.List()
	kept, err := packPoints(dedupPoints(points), refs, r.ReduceTokens)
	if err != nil {
		return Draft{}, err
	}
	values := prompts.Values{"kind": kindWord(blocks), "question": r.Question, "points": strings.Join(kept, "\n\n")}
	return g.write(ctx, r, d, generation{prompts.Reduce, values, cite.Offered(refs), blocks})
}

// packPoints returns the best points that fit into a number of tokens, as lines of a prompt.
func packPoints(points []point, refs []graph.Reference, budget int) ([]string, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(points))
	packed := make([]rank.Item, len(points))
	for i, p := range points {
		lines[i] = fmt.Sprintf("Score %.0f: %s", p.score, cite.ToData(p.text, refs))
		packed[i] = rank.Item{Tokens: counter.Count(lines[i])}
	}
	var kept []string
	for _, i := range rank.Pack(packed, budget).Kept {
		kept = append(kept, lines[i])
	}
	return kept, nil
}

// Answer writes the answer from blocks that fit into one window. Blocks of several
// kinds take the prompt of the local method.
func (g Generative) Answer(ctx context.Context, r Request, blocks []Block) (Draft, error) {
	p := newWindowPrompt(blocks)
	of := generation{prompts.Answer, prompts.Values{"kind": p.kind, "question": r.Question, "context": p.text}, p.offered, blocks}
	if slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind != blocks[0].Kind }) {
		of.prompt, of.values = prompts.Local, prompts.Values{"question": r.Question, "context": p.text}
	}
	return g.write(ctx, r, draftOf(blocks), of)
}

// A generation is what a final text is written from.
type generation struct {
	prompt  string
	values  prompts.Values
	offered map[report.Local]string
	blocks  []Block
}

// write asks for the final text and checks its citations. A text that the model
// cut off is returned with a note; it is never cached.
func (g Generative) write(ctx context.Context, r Request, d Draft, from generation) (Draft, error) {
	p, err := g.Model.Prompts.Get(from.prompt)
	if err != nil {
		return Draft{}, err
	}
	stage := "answering"
	if from.prompt == prompts.Reduce {
		stage = "reducing"
	}
	r.progress(stage, 0, 0)
	system, user := p.Render(from.values)
	req := llm.Request{Task: TaskAnswer, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}}
	var stream *cite.Stream
	if r.Stream != nil {
		stream = cite.NewStream(from.offered, r.Stream)
		req.Stream = stream.Write
		defer stream.Close()
	}
	res, err := g.Model.Answer.Chat(ctx, req)
	if cut, ok := errors.AsType[*llm.AnswerError](err); ok && errors.Is(err, llm.ErrTruncated) {
		// The text so far is paid for, and shown already where it is streamed.
		if stream != nil {
			stream.CutOff()
		}
		if res.Text = cite.TrimOpen(cut.Text); strings.TrimSpace(res.Text) != "" {
			err = nil
			d.Notes = append(d.Notes, "The model cut this answer off at its token limit, so its end is missing: ask for less at once, or allow the model longer answers.")
		}
	}
	if err != nil {
		return Draft{}, fmt.Errorf("%s: %w", from.prompt, err)
	}
	return g.support(ctx, d, res.Text, from)
}

// support checks the citations of a final text and finds the statements behind them.
func (g Generative) support(ctx context.Context, d Draft, answer string, from generation) (Draft, error) {
	var numbers report.Numbers
	answer, removed := report.CheckReferences(sanitize.Text(answer), from.offered, &numbers)
	answer = sanitize.Text(answer) // removing a citation may have completed a link
	refs := numbers.List()
	byKey := make(map[string]*Block, len(from.blocks))
	for i := range from.blocks {
		byKey[from.blocks[i].Key] = &from.blocks[i]
	}
	if err := g.readStatements(ctx, refs, byKey); err != nil {
		return Draft{}, err
	}
	d.Generated, d.Text, d.Dangling = true, answer, d.Dangling+removed
	d.Statements = cite.Supports(answer, refs, func(key string) (cite.Source, bool) {
		b, ok := byKey[key]
		if !ok {
			return cite.Source{}, false
		}
		return b.source(), true
	})
	return d, nil
}

// readStatements reads the statements of cited reports of which only the text was read.
func (g Generative) readStatements(ctx context.Context, refs []graph.Reference, byKey map[string]*Block) error {
	var unread []string
	for _, ref := range refs {
		if b := byKey[ref.Key]; b != nil && b.Kind == graph.KindReport && len(b.Statements()) == 0 {
			unread = append(unread, ref.Key)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	reports, err := g.Reports.ReportTexts(ctx, unread)
	if err != nil {
		return err
	}
	for _, r := range reports {
		byKey[r.Key].statements = cite.ReportStatements(r)
	}
	return nil
}
