package query

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/synth"
)

// A request is one question with all that answering it takes: the engine's
// options and the reader of the question's scope. Methods answer requests.
type request struct {
	Question

	options Options
	reader  retrieve.Reader
}

// by answers the request by a method.
func (r request) by(ctx context.Context, m Method) (Answer, error) {
	if !m.unpinned {
		return r.consistent(ctx, m.answer)
	}
	a, err := m.answer(ctx, r)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		if _, missing := r.reader.Pin(ctx); missing != nil {
			err = missing // it names the corpus
		}
		return Answer{}, err
	}
	return a, err
}

// consistent answers from one generation of communities and reports. When an
// index run makes a new one visible meanwhile, it answers once more.
func (r request) consistent(ctx context.Context, answer func(context.Context, request) (Answer, error)) (Answer, error) {
	pinned, err := r.reader.Pin(ctx)
	if err != nil {
		return Answer{}, err
	}
	for try := 0; ; try++ {
		r.reader = pinned
		a, err := answer(ctx, r)
		if err != nil {
			return Answer{}, err
		}
		now, err := r.reader.Pin(ctx)
		if err != nil {
			return Answer{}, err
		}
		if now.SameGeneration(pinned) || try > 0 {
			return a, nil
		}
		pinned = now
	}
}

// synthesizer answers by the model, or by choosing sentences without one.
func (r request) synthesizer() synth.Synthesizer {
	if r.options.Model != nil {
		return r.generative()
	}
	return synth.Extractive{Concurrency: r.options.Concurrency}
}

// generative answers by the model, which must be set.
func (r request) generative() synth.Generative {
	return synth.Generative{Model: r.options.Model, Concurrency: r.options.Concurrency, Reports: r.reader}
}

// synthesis is what a synthesizer needs of the request.
func (r request) synthesis() synth.Request {
	return synth.Request{
		Question: r.Text, MapTokens: r.MapTokens, ReduceTokens: r.ReduceTokens, AnswerTokens: r.AnswerTokens,
		Stream: r.Stream, Progress: r.progress,
	}
}
