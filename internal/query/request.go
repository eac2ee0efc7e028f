package query

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// A request is one question with all that answering it takes: the engine's
// options and the reader of the question's scope. Methods answer requests.
type request struct {
	Question

	options   Options
	reader    retrieve.Reader
	snapshots *snapshot.Cache
	relay     *relay // of the stream; nil without one
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
// index run makes a new one visible meanwhile, it answers once more. Before the first
// piece of an answer is streamed it checks the generation, so that the stream is
// restarted only if the generation changes while the answer is written.
func (r request) consistent(ctx context.Context, answer func(context.Context, request) (Answer, error)) (Answer, error) {
	pinned, err := r.reader.Pin(ctx)
	if err != nil {
		return Answer{}, err
	}
	attempt, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	first := r
	first.reader = pinned
	first.Stream = first.checkFirst(ctx, pinned, stop)
	a, err := answer(attempt, first)
	if err != nil && !errors.Is(context.Cause(attempt), errNewGeneration) {
		return Answer{}, err
	}
	now, pinErr := r.reader.Pin(ctx)
	if pinErr != nil {
		return Answer{}, pinErr
	}
	if err == nil && now.SameGeneration(pinned) {
		return a, nil
	}
	r.relay.reset(errNewGeneration.Error())
	r.reader = now
	return answer(ctx, r)
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
	return synth.Generative{Model: r.options.Model, Concurrency: r.options.Concurrency, WholeRecords: r.CiteRecords}
}

// asker asks the model for JSON, as a call of the task. The model must be set.
func (r request) asker(task string) prompts.Asker {
	return func(ctx context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
		return r.options.Model.AskJSON(ctx, synth.Call{Task: task, Prompt: prompt, Values: values, Valid: valid})
	}
}

// vectorHits is how many chunks a search by one vector finds.
func (r request) vectorHits() int { return int(r.Tuning.Value("hits", retrieve.CandidateChunks)) }

// synthesis is what a synthesizer needs of the request.
func (r request) synthesis() synth.Request {
	return synth.Request{
		Question: r.Text, MapTokens: r.MapTokens, ReduceTokens: r.ReduceTokens, AnswerTokens: r.AnswerTokens,
		Stream: r.Stream, Progress: r.progress,
	}
}
