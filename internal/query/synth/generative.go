package synth

import (
	"context"
	"fmt"
	"strconv"

	"github.com/neorag/neorag/prompts"
)

// Generative answers by a model.
type Generative struct {
	Model       *Model
	Concurrency int // calls at the same time
	// WholeRecords shows sources and reports without numbers of their sentences, so that the
	// model cites whole records.
	WholeRecords bool
}

var _ Synthesizer = Generative{}

// MapReduce asks for points window by window, and for an answer from the best
// points. If some blocks could not be read, a note says how many; if none
// could, it returns an error.
func (g Generative) MapReduce(ctx context.Context, r Request, blocks []Block) (Draft, error) {
	windows, err := g.askWindows(ctx, r, mapWindows(blocks, g.Budget(r.MapTokens)))
	if err != nil {
		return Draft{}, fmt.Errorf("map: %w", err)
	}
	lost, note, err := missing(windows, kindsOf(blocks))
	if err != nil {
		return Draft{}, err
	}
	var readings []Reading
	for _, w := range windows {
		if w.err == nil {
			readings = append(readings, w.Reading)
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
	values := p.with(r.Question)
	values["count"] = strconv.Itoa(maxPoints)
	return g.Model.AskJSON(ctx, Call{
		Task: TaskMap, Prompt: prompts.Map, Values: values,
		Valid: func(answer string) error { _, err := parsePoints(answer); return err },
	})
}

// Answer writes the answer from blocks that fit into one window. Blocks of several
// kinds take the prompt of the local method.
func (g Generative) Answer(ctx context.Context, r Request, blocks []Block) (Draft, error) {
	p, err := g.newWindowPrompt(blocks)
	if err != nil {
		return Draft{}, err
	}
	of := generation{prompts.Answer, p.with(r.Question), p.offered, blocks}
	if len(kindsOf(blocks)) > 1 {
		of.prompt = prompts.Local
	}
	return g.write(ctx, r, draftOf(blocks), of)
}
