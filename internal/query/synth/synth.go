// Package synth writes answers from what was retrieved: a model writes them, or they
// consist of sentences chosen by rules.
//
// Both kinds of Synthesizer take blocks (reports, chunks and other nodes of the context)
// and return a Draft. Its statements have no references yet: package cite resolves them.
// Answer reads blocks that fit into one window; MapReduce reads any number of them,
// window by window.
package synth

import (
	"context"

	"github.com/neorag/neorag/internal/query/cite"
)

// A Request is a question with the limits of its answer. Limits are in tokens.
type Request struct {
	Question     string
	MapTokens    int // of one map window
	ReduceTokens int // of the points that an answer is made of
	AnswerTokens int // of an answer without a model
	// Stream, unless nil, receives an answer of a model in pieces while it is
	// written, with its citations as numbers.
	Stream func(delta string)
	// Progress, unless nil, is called with a stage and how much of the stage is done;
	// total is 0 if it is not known. Calls may be concurrent.
	Progress func(stage string, done, total int)
	// Whole is the size of what a context is chosen from, if its blocks are only the closest ones.
	Whole Size
}

// A Size is how many blocks there are, and their tokens.
type Size struct{ Blocks, Tokens int }

// SizeOf returns the size of blocks.
func SizeOf(blocks []Block) Size {
	s := Size{Blocks: len(blocks)}
	for _, b := range blocks {
		s.Tokens += b.Tokens
	}
	return s
}

func (r Request) progress(stage string, done, total int) {
	if r.Progress != nil {
		r.Progress(stage, done, total)
	}
}

// A Synthesizer turns blocks into an answer.
type Synthesizer interface {
	// MapReduce answers from any number of blocks, window by window, in their order.
	MapReduce(ctx context.Context, r Request, blocks []Block) (Draft, error)
	// Answer answers from blocks that fit into one window, best first.
	Answer(ctx context.Context, r Request, blocks []Block) (Draft, error)
}

// A Draft is an answer before its references are resolved: a list of items, or a
// text that a model wrote.
type Draft struct {
	Items []cite.Item

	Generated bool          // by a model: Text and Records hold the answer
	Text      string        // [n] cites the nth of the records, [n.m] its mth sentence
	Records   []cite.Record // that the text cites

	Blocks   int // that were read
	Tokens   int // of these blocks
	Lost     int // blocks that could not be read
	Dangling int // citations that were removed
	Notes    []string
	Closest  string   // title of the best block, if nothing answers the question
	Sections []string // headings in this block
}

// Empty reports whether nothing answers the question.
func (d Draft) Empty() bool { return !d.Generated && len(d.Items) == 0 }

// draftOf returns a draft that counts the blocks.
func draftOf(blocks []Block) Draft {
	d := Draft{Blocks: len(blocks)}
	for _, b := range blocks {
		d.Tokens += b.Tokens
	}
	return d
}
