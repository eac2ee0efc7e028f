package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/report"
)

// doctorUse are the models that `doctor --check-model` tries.
var doctorUse = config.Use{Chat: true, Tasks: []string{extract.TaskExtract, report.TaskReport, synth.TaskAnswer}}

const (
	// trialTime is the longest time of one check, in which a server may have to load the model.
	trialTime = 2 * time.Minute
	// trialAttempts and trialWait bound the retries of a call: somebody waits for the check.
	trialAttempts = 3
	trialWait     = 10 * time.Second
)

// checkModelFlags are the flags of `doctor --check-model`.
func checkModelFlags() []ucli.Flag {
	return slices.Concat([]ucli.Flag{maxCostFlag()}, modelFlags(doctorUse.Tasks...), settingFlags("extract.format"))
}

// checkModelOptions returns how --check-model calls models. The flags of models need --check-model: no other check
// calls one.
func checkModelOptions(cc invocation, checks bool) (modelOptions, error) {
	if !checks {
		for _, f := range checkModelFlags() {
			if name := f.Names()[0]; cc.IsSet(name) {
				return modelOptions{}, usage("doctor: --%s is for --check-model; give both", name)
			}
		}
		return modelOptions{}, nil
	}
	o, err := modelOptionsFrom(cc, doctorUse)
	o.uncached, o.retry = true, llm.Retry{Attempts: trialAttempts, MaxRetryAfter: trialWait}
	return o, err
}

// modelFindings tries the configured models, without Neo4j.
func modelFindings(ctx context.Context, env *environment, o doctorOptions) ([]finding, error) {
	m, err := newModels(ctx, env, o.models)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, noModelToCheck(ctx, env)
	}
	defer m.close()
	t := &modelTrial{models: m, format: o.format, useless: map[string]bool{}}
	m.observer, m.chats = t.observer(m.observer), map[string]llm.Chat{} // they were built without it
	var found []finding
	for _, check := range modelChecks {
		if check.task == llm.TaskEmbed && m.embedding == "" || check.task != llm.TaskEmbed && !m.hasChat() {
			continue
		}
		f, err := t.run(ctx, check)
		if err != nil {
			return nil, err
		}
		found = append(found, f...)
	}
	rest, err := t.resources(ctx)
	return slices.Concat(found, rest, []finding{t.usage(env)}), err
}

// noModelToCheck says how to name a model, with one that runs on this machine.
func noModelToCheck(ctx context.Context, env *environment) error {
	hint := "give --base-url URL and --model NAME, or set models.chat.base_url and models.chat.model"
	if offline, err := env.settings.Offline(doctorUse); offline || err != nil {
		return &userError{code: exitUsage, message: "doctor: --check-model tries a model, and --offline (setting offline) uses none", hint: "give --base-url URL and --model NAME", cause: err}
	}
	if flags := foundModelFlags(ctx, env, true); flags != "" {
		hint = "a model server runs on this machine: add" + flags
	}
	return &userError{code: exitUsage, message: "doctor: --check-model tries the model of the settings, and there is none", hint: hint}
}

// A modelTrial tries what NeoRAG asks of models, on a text whose facts are known.
type modelTrial struct {
	models  *models
	format  extract.Format
	useless map[string]bool // endpoints that refuse every call, by ID

	mu    sync.Mutex
	calls []llm.Call // of the check that runs
}

// observer returns an observer that records the calls, and passes them on.
func (t *modelTrial) observer(next func(config.Endpoint) (llm.Observer, error)) func(config.Endpoint) (llm.Observer, error) {
	return func(at config.Endpoint) (llm.Observer, error) {
		observe, err := next(at)
		return func(ctx context.Context, c llm.Call) {
			t.mu.Lock()
			t.calls = append(t.calls, c)
			t.mu.Unlock()
			if observe != nil {
				observe(ctx, c)
			}
		}, err
	}
}

// endpoint returns the model of a task or of the embedding.
func (t *modelTrial) endpoint(task string) (config.Endpoint, error) {
	if task == llm.TaskEmbed {
		return t.models.settings.EmbeddingEndpoint(t.models.general)
	}
	return t.models.settings.TaskEndpoint(task, t.models.general)
}

// run makes one check. It finds nothing if the model refused an earlier check in a way in which it would refuse
// this one too.
func (t *modelTrial) run(ctx context.Context, check modelCheck) ([]finding, error) {
	at, err := t.endpoint(check.task)
	if err != nil || t.useless[at.ID()] {
		return nil, err
	}
	t.calls = nil
	within, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	detail, err := check.try(within, t)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, wrong := errors.AsType[*config.Error](err); wrong {
		return nil, err
	}
	f := finding{Check: check.name, OK: err == nil, Detail: detail, Model: t.tried(at)}
	if err == nil {
		f.Hint = t.savings(at)
	} else {
		if within.Err() != nil {
			err = errSlow
		}
		t.useless[at.ID()] = llm.IsFatal(err) || llm.IsUnreachable(err)
		f.Detail, f.Hint = err.Error(), t.advice(err, check)
	}
	f.Detail = fmt.Sprintf("%s: %s%s", at.Model, strings.TrimSuffix(f.Detail, "."), f.Model.speedText())
	return []finding{f}, nil
}

// usage sums up what the check consumed.
func (t *modelTrial) usage(env *environment) finding {
	sum := t.models.meter.Total()
	return finding{Check: "usage", OK: true, Detail: fmt.Sprintf("%d calls, %d tokens in, %d out%s", sum.Calls, sum.TokensIn, sum.TokensOut, env.costText(sum.Cost))}
}
