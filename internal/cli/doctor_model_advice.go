package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
)

// A triedModel is the model of a check, and what its calls took.
type triedModel struct {
	Name            string  `json:"name"`
	Server          string  `json:"server"`                                                        // its host
	Format          string  `json:"format,omitempty" enum:"json_schema,json_object,prompt,tuples"` // of the response, unless that is text or vectors
	Requests        int     `json:"requests"`                                                      // with repeated ones
	Seconds         float64 `json:"seconds"`                                                       // of all requests together
	TokensIn        int64   `json:"tokens_in"`
	TokensOut       int64   `json:"tokens_out"`
	TokensPerSecond float64 `json:"tokens_per_second"` // of output
	Cost            float64 `json:"cost"`
	Context         int     `json:"context,omitempty"` // tokens of prompt and answer together; 0 if not known
}

// tried measures the calls of the check that ran.
func (t *modelTrial) tried(at config.Endpoint) *triedModel {
	m := &triedModel{Name: at.Model, Server: at.Hosts()}
	for _, c := range t.calls {
		m.Requests += c.Attempts
		m.Seconds += c.Duration.Seconds()
		m.TokensIn += c.Response.Usage.TokensIn
		if c.Response.Text != "" || c.Response.Reasoning != "" || c.Err == nil { // else it is an estimate for nothing
			m.TokensOut += c.Response.Usage.TokensOut
		}
		m.Cost += c.Response.Usage.Cost
		switch {
		case c.Request.Schema != nil:
			m.Format = t.models.known.Server(at.BaseURL, at.Model).Facts().Format
			if m.Format == "" {
				m.Format = "json_schema"
			}
		case c.Task == extract.TaskExtract:
			m.Format = string(extract.FormatTuples)
		}
	}
	if m.Seconds > 0 {
		m.TokensPerSecond = float64(m.TokensOut) / m.Seconds
	}
	return m
}

// speedText says in which format and how fast a model answered.
func (m *triedModel) speedText() string {
	var parts []string
	if m.Format != "" {
		parts = append(parts, "format "+m.Format)
	}
	if m.Requests > 1 {
		parts = append(parts, fmt.Sprintf("%d requests", m.Requests))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", m.Seconds))
	if m.TokensOut > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens out, %.0f a second", m.TokensOut, m.TokensPerSecond))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// errSlow is the error of a check that took too long.
var errSlow = fmt.Errorf("no result within %v, of three sentences", trialTime)

// The advice to several problems.
const (
	largerModel  = "use a larger model, or one that follows instructions better"
	lessThinking = "switch reasoning off by --parameter, as in reasoning_effort=none or 'chat_template_kwargs={\"enable_thinking\":false}'"
	leastContext = 8192 // tokens; a context of a report, or the points of an answer, has as many by default
	slowTokens   = 10   // a second: a chunk then takes a minute or more
)

// advice says what helps against the error of a check; "" if the error says it.
func (t *modelTrial) advice(err error, check modelCheck) string {
	refused, isRefusal := errors.AsType[*llm.Error](err)
	answer, isAnswer := errors.AsType[*llm.AnswerError](err)
	_, otherLanguage := errors.AsType[*languageError](err)
	switch {
	case errors.Is(err, errSlow):
		return "run it again if the server had to load the model first; else use a faster model, or a larger one if it writes without end, or " + lessThinking
	case otherLanguage:
		return "use a model that is made for these languages; questions and texts in one language that it knows are not affected"
	case check.task == llm.TaskEmbed && !isRefusal:
		return "use a model that is made for embeddings"
	case isRefusal && refused.Status == 0:
		return "check the address of the server (--base-url, --embedding-base-url), and that it runs"
	case isRefusal:
		return doctorHint(err)
	case t.reasonsAlone():
		return lessThinking + ", or raise models." + check.task + ".max_tokens"
	case errors.Is(err, llm.ErrLoop):
		return largerModel + ", or add a penalty, as in --parameter repeat_penalty=1.1 (Ollama, llama.cpp) or --parameter frequency_penalty=0.3"
	case isAnswer && errors.Is(err, llm.ErrTruncated):
		return answer.Advice()
	case isAnswer && check.task == extract.TaskExtract && t.format != extract.FormatTuples && strings.TrimSpace(answer.Text) != "":
		return largerModel + ", or try --extract-format tuples"
	}
	return largerModel
}

// savings says what saves time with a model that is able; "" for nothing.
func (t *modelTrial) savings(at config.Endpoint) string {
	var hints []string
	text, reasoning := 0, 0
	for _, c := range t.calls {
		text += len(c.Response.Text)
		reasoning += len(c.Response.Reasoning)
	}
	m := t.tried(at)
	if m.Format == string(extract.FormatTuples) && t.format == "" {
		hints = append(hints, "--extract-format tuples saves the requests for JSON, which the model does not write")
	}
	if reasoning > text && text > 0 {
		hints = append(hints, "most of the answer is reasoning: to be faster, "+lessThinking)
	}
	if m.TokensOut > 0 && m.TokensPerSecond < slowTokens {
		hints = append(hints, "slow: index a small part of the documents first, or use a smaller model or a GPU")
	}
	return strings.Join(hints, "; ")
}

// reasonsAlone reports whether the last call ended with reasoning, and no text.
func (t *modelTrial) reasonsAlone() bool {
	if len(t.calls) == 0 {
		return false
	}
	last := t.calls[len(t.calls)-1].Response
	return strings.TrimSpace(last.Text) == "" && last.Reasoning != ""
}

// lastError returns the error of the last call.
func (t *modelTrial) lastError() error {
	if len(t.calls) == 0 {
		return nil
	}
	return t.calls[len(t.calls)-1].Err
}

// resources reports the context of each chat model that answers, and how many calls run concurrently.
func (t *modelTrial) resources(ctx context.Context) ([]finding, error) {
	var found []finding
	seen := map[string]bool{}
	local := false
	for _, task := range t.models.tasks() {
		at, err := t.endpoint(task)
		if err != nil {
			return nil, err
		}
		if seen[at.ID()] || t.useless[at.ID()] {
			continue
		}
		seen[at.ID()] = true
		chat, err := t.models.chat(task)
		if err != nil {
			return nil, err
		}
		found = append(found, contextFinding(ctx, at, chat))
		local = local || at.IsLocal()
	}
	if local {
		found = append(found, finding{
			Check: "concurrency", OK: true, Detail: fmt.Sprintf("up to %d calls run at the same time", t.models.options.concurrency()),
			Hint: "give --concurrency N if the server on this machine runs fewer (OLLAMA_NUM_PARALLEL of Ollama, -np of llama.cpp): others wait in its queue, and may time out",
		})
	}
	return found, nil
}

// contextFinding reports the context of a model.
func contextFinding(ctx context.Context, at config.Endpoint, chat llm.Chat) finding {
	f := finding{Check: "context", OK: true, Model: &triedModel{Name: at.Model, Server: at.Hosts(), Context: llm.ContextOf(ctx, chat)}}
	setting := at.Calls.Section + ".context"
	n := f.Model.Context
	if n == 0 {
		f.Detail = at.Model + ": not known"
		f.Hint = "set " + setting + " to the tokens that the server gives to prompt and answer together: prompts are then kept within it"
		return f
	}
	f.Detail = fmt.Sprintf("%s: %d tokens for prompt and answer, of which a prompt may take %d", at.Model, n, llm.Room(ctx, chat))
	if n < leastContext {
		f.Hint = fmt.Sprintf("give the model %d or more at the server (OLLAMA_CONTEXT_LENGTH of Ollama, -c of llama.cpp), or %s if it has more than the server states: with less, reports and answers are written from fewer records", leastContext, setting)
	}
	return f
}
