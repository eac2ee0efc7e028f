package cli

import (
	"context"
	"time"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/calllog"
	"github.com/neorag/neorag/internal/llm/rerank"
)

// observer returns the observer of the calls to the server of an endpoint, nil if none are observed:
// telemetry, and the log of calls.
func (env *environment) observer(at config.Endpoint) (llm.Observer, error) {
	log, err := env.callLog(at)
	if err != nil || env.telemetry == nil {
		return log, err
	}
	server := at.Hosts()
	return func(ctx context.Context, c llm.Call) {
		env.traceCall(ctx, server, c)
		if log != nil {
			log(ctx, c)
		}
	}, nil
}

// callLog returns the observer that logs calls, nil without --calls. The first one opens its file, which
// is closed with the environment.
func (env *environment) callLog(at config.Endpoint) (llm.Observer, error) {
	path := env.settings.Text("log.calls")
	if path == "" {
		return nil, checkCallsText(env.settings)
	}
	if env.calls == nil {
		log := env.logger()
		calls, err := calllog.Open(path, env.settings.Bool("log.calls_text"), func(err error) { log.Warn("the log of calls is incomplete", "error", err) })
		if err != nil {
			return nil, usage("--calls: %w", err)
		}
		env.calls = calls
	}
	return env.calls.Observer(at.Hosts()), nil
}

// checkCallsText returns an error if --calls-text is given where no calls are logged.
func checkCallsText(settings *config.Config) error {
	if v := settings.Get("log.calls_text"); v.Origin == config.FromFlag && v.Text() == "true" && settings.Text("log.calls") == "" {
		return usage("--calls-text: give --calls FILE too")
	}
	return nil
}

// close ends what commands share.
func (env *environment) close() error {
	if env.calls == nil {
		return nil
	}
	return env.calls.Close()
}

// An observedReranker reports its calls to an observer, unless that is nil.
type observedReranker struct {
	*rerank.Client

	model   string
	observe llm.Observer
}

// Rerank returns the scores of texts.
func (r *observedReranker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	start := time.Now()
	scores, err := r.Client.Rerank(ctx, question, texts)
	if r.observe != nil {
		r.observe(ctx, llm.Call{
			Start: start, Duration: time.Since(start), Task: taskRerank, Model: r.model, Texts: texts, Attempts: 1, Err: err,
			Request: llm.Request{Messages: []llm.Message{{Role: "user", Content: question}}},
		})
	}
	return scores, err
}

// taskRerank is the task of the calls of a reranker in the log of calls.
const taskRerank = "rerank"
