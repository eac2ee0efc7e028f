package query

import (
	"cmp"
	"context"
	"errors"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// A Request is one question with all that answering it takes: the engine's
// options and the reader of the question's scope. Methods answer requests.
type Request struct {
	Question

	Options   Options
	Reader    retrieve.Reader
	asked     string         // the question before it was condensed
	relay     *relay         // of the stream; nil without one
	room      int            // tokens of a context that the models can read; 0 if it is not known
	collected *contextBlocks // what the request is answered from, if that alone is asked for; else nil
}

// RunMethod answers the request by a method.
func (r Request) RunMethod(ctx context.Context, m Method) (Answer, error) {
	if !m.Unpinned {
		return r.consistent(ctx, m.Answer)
	}
	a, err := m.Answer(ctx, r)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		if _, missing := r.Reader.Pin(ctx); missing != nil {
			err = missing // it names the corpus
		}
		return Answer{}, err
	}
	return a, err
}

// consistent answers from one generation of communities and reports. When an
// index run makes a new one visible meanwhile, it answers once more. Before the first
// piece of an answer is streamed it checks the generation, so that the stream is
// restarted only if the generation changes while the answer is written.
func (r Request) consistent(ctx context.Context, answer func(context.Context, Request) (Answer, error)) (Answer, error) {
	pinned, err := r.Reader.Pin(ctx)
	if err != nil {
		return Answer{}, err
	}
	attempt, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	first := r
	first.Reader = pinned
	first.Stream = first.checkFirst(ctx, pinned, stop)
	a, err := answer(attempt, first)
	if err != nil && !errors.Is(context.Cause(attempt), errNewGeneration) {
		return Answer{}, err
	}
	now, pinErr := r.Reader.Pin(ctx)
	if pinErr != nil {
		return Answer{}, pinErr
	}
	if err == nil && now.SameGeneration(pinned) {
		return a, nil
	}
	r.relay.reset(errNewGeneration.Error())
	r.Reader = now
	return answer(ctx, r)
}

// ForModel reports whether a model reads what is found: the model that writes the answer, or
// another one, if the context alone is asked for.
func (r Request) ForModel() bool { return r.Options.Model != nil || r.OnlyContext() }

// OnlyContext reports whether the context alone is asked for.
func (r Request) OnlyContext() bool { return r.collected != nil }

// Synthesizer answers by the model, or by choosing sentences without one.
func (r Request) Synthesizer() synth.Synthesizer {
	switch {
	case r.OnlyContext():
		return r.collected
	case r.Options.Model != nil:
		return r.Generative()
	}
	return synth.Extractive{Concurrency: r.Options.Concurrency}
}

// Generative answers by the model, which must be set for all but the size and the text of contexts.
func (r Request) Generative() synth.Generative {
	return synth.Generative{Model: r.Options.Model, Concurrency: r.Options.Concurrency, WholeRecords: r.CiteRecords}
}

// Asker asks the model for JSON, as a call of the task. The model must be set.
func (r Request) Asker(task string) prompts.Asker {
	return func(ctx context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
		return r.Options.Model.AskJSON(ctx, synth.Call{Task: task, Prompt: prompt, Values: values, Valid: valid})
	}
}

// VectorHits is how many chunks a search by one vector finds.
func (r Request) VectorHits() int { return int(r.Tuning.Value("hits", retrieve.CandidateChunks)) }

// Synthesis is what a synthesizer needs of the request.
func (r Request) Synthesis() synth.Request {
	return synth.Request{
		Question: r.Text, MapTokens: r.MapTokens, ReduceTokens: r.Tokens(0), AnswerTokens: r.AnswerTokens,
		Stream: r.Stream, Progress: r.Step,
	}
}

// defaultReduceTokens is what Question.ReduceTokens means for a method without its own default.
const defaultReduceTokens = 8000

// LocalTokens is the default of the method local with a model. With the prompt, a question takes at
// most 5,000 tokens.
const LocalTokens = 4400

// Tokens returns the tokens of a context: those that the question asks for, else the default of
// the method, or 8,000 if that is 0; no more than the models can read.
func (r Request) Tokens(standard int) int {
	return r.withinRoom(cmp.Or(r.ReduceTokens, standard, defaultReduceTokens))
}

// Fallback returns what a model answered or, if it failed, the alternative, with a note that says so.
// It returns an error only if the context ended.
func Fallback[T any](ctx context.Context, answered T, err error, alternative T, note string) (T, []string, error) {
	switch {
	case ctx.Err() != nil:
		return alternative, nil, ctx.Err()
	case err != nil:
		return alternative, []string{note + ": " + text.FirstLine(err.Error())}, nil
	}
	return answered, nil, nil
}
