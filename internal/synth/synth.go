package query

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// synthesis turns what a method found into an answer: with a model, or by
// choosing sentences. Both get the same blocks.
type synthesis interface {
	// mapReduce answers from any number of blocks, window by window.
	mapReduce(ctx context.Context, q Question, blocks []block) (draft, error)
	// answer answers from blocks that fit into one window, best first.
	answer(ctx context.Context, q Question, blocks []block) (draft, error)
}

func (r request) synthesis() synthesis {
	if r.options.Model != nil {
		return r.model()
	}
	return offline{r.options.Concurrency}
}

// model answers by the model, which must be there.
func (r request) model() modelled {
	return modelled{Model: r.options.Model, concurrency: r.options.Concurrency, reader: r.reader}
}

// A block is one item of a window: a report or a chunk.
type block struct {
	key    string
	kind   graph.Kind
	title  string
	text   string
	tokens int
	weight float64 // of a chunk: its rank score
	say    func(b *block) []statement
	said   []statement
}

// statements are what a block says, sentence by sentence. They are made when they
// are asked for: a model needs those alone that its answer cites.
func (b *block) statements() []statement {
	if b.say != nil {
		b.said, b.say = b.say(b), nil
	}
	return b.said
}

// A draft is what an engine found, before its references are resolved.
type draft struct {
	statements []statement // what an answer without a model is made of, and what references of one with a model rest on
	items      int
	tokens     int // of the context that was read
	lost       int // of the items, that could not be read
	text       string
	written    bool // by a model: text carries [n] for the nth of the statements
	dangling   int
	notes      []string
	known      known // evidence that was read already
}
