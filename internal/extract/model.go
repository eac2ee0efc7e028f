package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same model answers give different records.
const modelVersion = "1"

// A Format is the format in which a model writes records.
type Format string

// The formats. The zero value means JSON if the model can write it, else tuples.
const (
	FormatJSON   Format = "json"
	FormatTuples Format = "tuples"
)

// TaskExtract is the task under which calls are counted.
const TaskExtract = "extract"

// A Model extracts with a language model, chunk by chunk. One prompt asks for
// entities and relationships, another for claims, and each is followed by
// gleaning: asking what was missed. Only Chat is required. A Model is safe for
// concurrent use.
type Model struct {
	Chat    llm.Chat
	Prompts prompts.Set
	// Types of entities to look for; nil means organization, person, location,
	// event and concept.
	Types    []string
	Domain   Domain // its types count only if Types is nil
	Language string // in which descriptions are written; empty means that of the passage
	// Gleanings is the maximum number of times the model is asked for what it
	// missed: 0 means once, a negative number never.
	Gleanings     int
	WithoutClaims bool
	Format        Format
	// YesNo biases the answer to the tokens of YES and NO; set it only if the
	// model's tokenizer is known.
	YesNo map[string]int64

	writesTuples    atomic.Bool // the model failed to write JSON before
	failedGleanings atomic.Int64
}

var defaultTypes = []string{"organization", "person", "location", "event", "concept"}

// Fingerprint covers everything that affects what is extracted from a chunk.
func (m *Model) Fingerprint() string {
	names := []string{prompts.Extract, prompts.FormatJSON, prompts.FormatTuples}
	if !m.WithoutClaims {
		names = append(names, prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples)
	}
	if m.gleanings() > 0 {
		names = append(names, prompts.GleanAsk, prompts.Glean)
	}
	return graph.Hash(
		"model", modelVersion, llm.Identity(m.Chat), m.Prompts.Fingerprint(names...), strings.Join(m.types(), ","), m.Domain.prompt(false, m.Language),
		strconv.Itoa(m.gleanings()), strconv.FormatBool(m.WithoutClaims), string(m.Format),
	)
}

// FailedGleanings returns the number of gleanings that failed so far. The records
// found before a failed gleaning are kept.
func (m *Model) FailedGleanings() int64 { return m.failedGleanings.Load() }

func (m *Model) types() []string {
	switch {
	case len(m.Types) > 0:
		return m.Types
	case len(m.Domain.EntityTypes) > 0:
		return m.Domain.EntityTypes
	}
	return defaultTypes
}

// Rounds returns the maximum number of gleanings per chunk.
func (m *Model) Rounds() int { return m.gleanings() }

func (m *Model) gleanings() int {
	if m.Gleanings == 0 {
		return 1
	}
	return max(0, m.Gleanings)
}

// A recordTask is one of the kinds of records that a chunk is read for.
type recordTask struct {
	prompt, json, tuples string // names of prompts
	what                 string // what the gleaning prompts ask for
	values               prompts.Values
}

// Chunk extracts the records of one chunk. It returns an error if the chunk could
// not be read at all; records that the model wrote but that cannot be parsed are
// only counted, in Unread.
func (m *Model) Chunk(ctx context.Context, c graph.Chunk) (graph.Extraction, error) {
	types := strings.Join(m.types(), ", ")
	aims := []recordTask{{
		prompts.Extract, prompts.FormatJSON, prompts.FormatTuples, "entities and relationships",
		prompts.Values{"types": types, "text": c.Text},
	}}
	if !m.WithoutClaims {
		aims = append(aims, recordTask{prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples, "claims", prompts.Values{"types": types, "text": c.Text}})
	}
	found := make([]graph.Extraction, len(aims))
	g, gctx := errgroup.WithContext(ctx)
	for i, a := range aims {
		g.Go(func() error {
			var err error
			found[i], err = m.extractRecords(gctx, a)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return graph.Extraction{}, fmt.Errorf("extract chunk %s: %w", c.Key, err)
	}
	out := graph.Extraction{Chunk: c.Key}
	for _, x := range found {
		appendRecords(&out, x)
	}
	return out, nil
}

// appendRecords adds the records of x.
func appendRecords(to *graph.Extraction, x graph.Extraction) {
	to.Entities = append(to.Entities, x.Entities...)
	to.Relationships = append(to.Relationships, x.Relationships...)
	to.Claims = append(to.Claims, x.Claims...)
	to.Unread += x.Unread
}

// A conversation is the exchange with the model about one chunk.
type conversation struct {
	messages []llm.Message
	schema   *llm.Schema // nil for tuples
}

// extractRecords asks for the records of one task, in the format that the model
// can write.
func (m *Model) extractRecords(ctx context.Context, a recordTask) (graph.Extraction, error) {
	asTuples := m.Format == FormatTuples || m.Format == "" && m.writesTuples.Load()
	x, t, err := m.askFirst(ctx, a, asTuples)
	if reply, ok := errors.AsType[*llm.AnswerError](err); ok && !asTuples && m.Format == "" && errors.Is(err, llm.ErrInvalid) {
		// The server does not accept a schema and the model does not write JSON.
		if x = ParseTuples(reply.Text); isEmpty(x) {
			if x, t, err = m.askFirst(ctx, a, true); err != nil {
				return x, err
			}
		} else {
			t.messages, t.schema, err = append(t.messages, llm.Message{Role: "assistant", Content: reply.Text}), nil, nil
		}
		m.writesTuples.Store(true)
	}
	if err != nil {
		return x, err
	}
	if err := m.glean(ctx, a, t, &x); err != nil {
		return x, err
	}
	return x, ctx.Err()
}

func isEmpty(x graph.Extraction) bool {
	return len(x.Entities)+len(x.Relationships)+len(x.Claims) == 0
}

// askFirst sends the prompt of a task.
func (m *Model) askFirst(ctx context.Context, a recordTask, asTuples bool) (graph.Extraction, conversation, error) {
	var t conversation
	p, err := m.Prompts.Get(a.prompt)
	if err != nil {
		return graph.Extraction{}, t, err
	}
	format := a.json
	if asTuples {
		format = a.tuples
	} else {
		t.schema = &llm.Schema{Name: a.prompt, JSON: p.Schema}
	}
	f, err := m.Prompts.Get(format)
	if err != nil {
		return graph.Extraction{}, t, err
	}
	_, a.values["format"] = f.Render(nil)
	if a.prompt == prompts.Extract {
		a.values["examples"] = m.Domain.prompt(asTuples, m.Language)
	}
	system, user := p.Render(a.values)
	if system != "" {
		t.messages = append(t.messages, llm.Message{Role: "system", Content: system})
	}
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	x, err := m.ask(ctx, &t, validTuples)
	return x, t, err
}

// validTuples returns an error for an answer that is not a list of records. The
// text of the error goes to the model with the next request.
func validTuples(text string) error {
	if x := ParseTuples(text); isEmpty(x) && !endMark.MatchString(text) {
		return errors.New("it holds no record in the format asked for")
	}
	return nil
}

// ask sends the conversation, appends the answer to it and parses its records. An answer
// that was cut off is an error, even if whole records can be read in it: with these alone
// the chunk would count as extracted, and no later run would find the others.
func (m *Model) ask(ctx context.Context, t *conversation, valid func(string) error) (graph.Extraction, error) {
	req := llm.Request{Task: TaskExtract, Messages: slices.Clone(t.messages), Schema: t.schema}
	if t.schema == nil {
		req.Valid = valid
	}
	res, err := m.Chat.Chat(ctx, req)
	if err != nil {
		return graph.Extraction{}, err
	}
	t.messages = append(t.messages, llm.Message{Role: "assistant", Content: res.Text})
	if t.schema == nil {
		return ParseTuples(res.Text), nil
	}
	return ParseJSON(res.Text)
}

// glean asks whether something was missed, and if so for it, until nothing is
// missing or Rounds is reached. A gleaning that fails is counted and the records
// found so far are kept. Only a spent budget is an error, since the next run can
// pay for the gleaning.
func (m *Model) glean(ctx context.Context, a recordTask, t conversation, x *graph.Extraction) error {
	for range m.gleanings() {
		missed, err := m.askMissed(ctx, a, &t)
		if err == nil && !missed {
			return nil
		}
		var more graph.Extraction
		if err == nil {
			err = m.addPrompt(&t, prompts.Glean, a)
		}
		if err == nil {
			more, err = m.ask(ctx, &t, nil)
		}
		if errors.Is(err, llm.ErrBudget) {
			return err
		}
		if err != nil {
			m.failedGleanings.Add(1)
			return nil //nolint:nilerr // the failure is counted
		}
		appendRecords(x, more)
	}
	return nil
}

// addPrompt adds a gleaning prompt to the conversation.
func (m *Model) addPrompt(t *conversation, prompt string, a recordTask) error {
	p, err := m.Prompts.Get(prompt)
	if err != nil {
		return err
	}
	_, user := p.Render(prompts.Values{"what": a.what})
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	return nil
}

// askMissed asks the model whether it missed something.
func (m *Model) askMissed(ctx context.Context, a recordTask, t *conversation) (bool, error) {
	if err := m.addPrompt(t, prompts.GleanAsk, a); err != nil {
		return false, err
	}
	req := llm.Request{Task: TaskExtract, Messages: slices.Clone(t.messages)}
	req.BiasYesNo(m.YesNo)
	res, err := m.Chat.Chat(ctx, req)
	if err != nil {
		return false, err
	}
	t.messages = append(t.messages, llm.Message{Role: "assistant", Content: res.Text})
	missed, _ := llm.ParseYesNo(res.Text)
	return missed, nil
}
