package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text/textproc"
)

// ErrNoContext means that a method has no context that could be shown without an answer.
var ErrNoContext = errors.New("it has no context apart from its answer")

// A Context is what a model would be shown to answer a question, in the form of
// `query --context --json`.
type Context struct {
	Method   string         `json:"method"`
	Corpus   string         `json:"corpus"`
	Question string         `json:"question"`
	Asked    string         `json:"asked,omitempty"` // the condensed question, if a conversation changed it
	Text     string         `json:"text"`            // all blocks, ready for a prompt: heads such as "Source 2: title", and sentences with numbers such as 2.3
	Blocks   []ContextBlock `json:"blocks"`          // in the order of the text
	Usage    Usage          `json:"usage"`
	Seconds  float64        `json:"seconds"`
	Notes    []string       `json:"notes,omitempty"` // what the reader should know of how the context was made
	// Choice is the method that was chosen, and why, as a sentence for people; empty if the question named the method.
	Choice string `json:"-"`
	// Traces are what the methods went through. In JSON each is a field of the context.
	Traces []Trace `json:"-"`
}

// A ContextBlock is a chunk, a report or another node in a context.
type ContextBlock struct {
	N        int        `json:"n"` // number among the blocks of its kind, from 1, as in the text
	Kind     graph.Kind `json:"kind"`
	Key      string     `json:"key"`
	Title    string     `json:"title"`
	Text     string     `json:"text"`
	Tokens   int        `json:"tokens"`
	Document string     `json:"document,omitempty"` // URI of the document of a chunk
	Start    int        `json:"start,omitempty"`    // of a chunk: byte of the file, or of the text of the document if converted
	End      int        `json:"end,omitempty"`
	cite.Place
	Href string `json:"href,omitempty"` // of a server: path of the page that shows the block
}

// Context returns what the method of a question would give to a model to answer it, whether or
// not the engine has one. It packs the context as for a model, and calls one only where the method
// uses it to search. Question.ReduceTokens bounds the tokens. Where a method reads more, window by
// window, the context has the blocks that are closest to the question. ErrNoContext means that the
// method asks a model what to read next.
func (e *Engine) Context(ctx context.Context, q Question) (Context, error) {
	start, meter := time.Now(), &llm.Meter{}
	ctx = llm.WithMeter(e.forCorpora(ctx), meter)
	r, m, notes, err := e.request(ctx, q)
	if err != nil {
		return Context{}, err
	}
	if m.Rounds {
		choose := namesOf(func(m Method) bool { return !m.Rounds })
		return Context{}, fmt.Errorf("context of %s: %w: choose one of %s", m.Name, ErrNoContext, strings.Join(choose, ", "))
	}
	r.collected = &contextBlocks{}
	r.Step("retrieving", 0, 0)
	a, corrections, err := r.answerInRoom(ctx, m)
	if err != nil {
		return Context{}, fmt.Errorf("context of %s: %w", m.Name, err)
	}
	c := Context{
		Method: m.Name, Corpus: e.options.Corpus, Question: r.asked, Choice: a.Choice, Traces: a.Traces,
		Notes: slices.Concat(notes, corrections, a.Notes), Seconds: time.Since(start).Seconds(),
	}
	if r.Text != r.asked {
		c.Asked = r.Text
	}
	blocks, left := r.collected.fit(r, r.ContextBudget(r.Tokens(0)))
	if left != "" {
		c.Notes = append(c.Notes, left)
	}
	if err := c.show(ctx, r, blocks); err != nil {
		return Context{}, fmt.Errorf("context of %s: %w", m.Name, err)
	}
	c.Usage.setCalls(meter)
	return c, nil
}

// show sets the text and the blocks of a context.
func (c *Context) show(ctx context.Context, r Request, blocks []synth.Block) error {
	var numbers []int
	var keys []string
	c.Text, numbers = r.Generative().Show(blocks)
	for _, b := range blocks {
		if b.Kind == graph.KindChunk {
			keys = append(keys, b.Key)
		}
	}
	spans, err := cite.Resolver{Evidence: r.Reader}.Spans(ctx, keys)
	if err != nil {
		return err
	}
	c.Blocks = make([]ContextBlock, len(blocks))
	for i, b := range blocks {
		span := spans[b.Key]
		c.Blocks[i] = ContextBlock{
			N: numbers[i], Kind: b.Kind, Key: b.Key, Title: b.Title, Text: b.Text, Tokens: b.Tokens,
			Document: b.Chunk.DocumentURI, Start: span.Start, End: span.End, Place: span.Place,
		}
		c.Usage.ContextTokens += b.Tokens
	}
	c.Usage.ContextItems = len(blocks)
	return nil
}

// contextBlocks is a synthesizer that writes nothing, and keeps the blocks that it is given.
type contextBlocks struct {
	blocks   []synth.Block
	windowed bool       // any number of blocks, in no order
	whole    synth.Size // of all blocks that an answer would read
}

var _ synth.Synthesizer = (*contextBlocks)(nil)

// Answer keeps blocks that fit into a context.
func (c *contextBlocks) Answer(_ context.Context, _ synth.Request, blocks []synth.Block) (synth.Draft, error) {
	c.blocks, c.windowed = blocks, false
	return synth.Draft{Generated: true}, nil
}

// MapReduce keeps blocks that a model would read window by window.
func (c *contextBlocks) MapReduce(_ context.Context, r synth.Request, blocks []synth.Block) (synth.Draft, error) {
	c.blocks, c.windowed, c.whole = blocks, true, r.Whole
	if c.whole.Blocks == 0 {
		c.whole = synth.SizeOf(blocks)
	}
	return synth.Draft{Generated: true}, nil
}

// fit returns the blocks that fit into a budget of tokens. If not all of several windows do, these
// are the closest to the question, best first, and a note says how many are left out.
func (c *contextBlocks) fit(r Request, budget int) (blocks []synth.Block, note string) {
	if !c.windowed || c.whole.Blocks == len(c.blocks) && c.whole.Tokens <= budget {
		return c.blocks, ""
	}
	byRelevance := closestFirst(r.Text, c.blocks)
	tokens := make([]int, len(byRelevance))
	for i, b := range byRelevance {
		tokens[i] = b.Tokens
	}
	for _, i := range rank.Pack(tokens, budget).Kept {
		blocks = append(blocks, byRelevance[i])
	}
	return blocks, fmt.Sprintf("The context has the %d closest of %d texts (%d tokens), which an answer would read window by window.", len(blocks), c.whole.Blocks, c.whole.Tokens)
}

// closestFirst sorts blocks by their relevance for a question: as the search found it, else by the
// words of the question, and reports of equal relevance by their size.
func closestFirst(question string, blocks []synth.Block) []synth.Block {
	type scored struct {
		block synth.Block
		score float64
	}
	all, texts := make([]scored, len(blocks)), make([]string, len(blocks))
	for i, b := range blocks {
		all[i], texts[i] = scored{b, b.Weight}, b.Text
	}
	if !slices.ContainsFunc(blocks, func(b synth.Block) bool { return b.Kind == graph.KindChunk && b.Weight > 0 }) {
		focus := textproc.NewSentenceScorer(textproc.ReadQuestion(question), texts)
		for i, b := range blocks {
			all[i].score = focus.Score(b.Text) + 1e-3*b.Weight
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]synth.Block, len(all))
	for i, s := range all {
		out[i] = s.block
	}
	return out
}
