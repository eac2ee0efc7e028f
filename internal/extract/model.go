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

// modelVersion changes when the same answers of a model give other records.
const modelVersion = "1"

// A Format is how a model writes records down.
type Format string

// The formats. The zero value is JSON where the model gives any, else tuples.
const (
	FormatJSON   Format = "json"
	FormatTuples Format = "tuples"
)

// TaskExtract is the task by which calls are counted.
const TaskExtract = "extract"

// A Model extracts by asking a model, chunk by chunk: for entities and
// relationships in one prompt, for claims in another, and for each whether
// something was missed. Only Chat is needed. It is safe for concurrent use.
type Model struct {
	Chat    llm.Chat
	Prompts prompts.Set
	// Types of entities to look for; nil means organization, person, location,
	// event and concept.
	Types    []string
	Examples string // further text of the prompt, such as examples from the field
	// Gleanings is how often at most is asked for what was missed: 0 means once,
	// a negative number not at all.
	Gleanings     int
	WithoutClaims bool
	Format        Format
	// YesNo are the tokens of YES and NO, where the model's tokenizer is known.
	YesNo map[string]int64

	tuples atomic.Bool // the model was seen to give no JSON
	lost   atomic.Int64
}

var defaultTypes = []string{"organization", "person", "location", "event", "concept"}

// Fingerprint covers all that changes what is extracted from a chunk.
func (m *Model) Fingerprint() string {
	names := []string{prompts.Extract, prompts.FormatJSON, prompts.FormatTuples}
	if !m.WithoutClaims {
		names = append(names, prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples)
	}
	if m.gleanings() > 0 {
		names = append(names, prompts.GleanAsk, prompts.Glean)
	}
	return graph.Hash(
		"model", modelVersion, m.Chat.Model(), m.Prompts.Fingerprint(names...), strings.Join(m.types(), ","), m.Examples,
		strconv.Itoa(m.gleanings()), strconv.FormatBool(m.WithoutClaims), string(m.Format),
	)
}

// FailedGleanings counts the gleanings that failed so far: what was found
// before them stayed.
func (m *Model) FailedGleanings() int64 { return m.lost.Load() }

func (m *Model) types() []string {
	if len(m.Types) == 0 {
		return defaultTypes
	}
	return m.Types
}

// Rounds is how often at most is asked for what was missed.
func (m *Model) Rounds() int { return m.gleanings() }

func (m *Model) gleanings() int {
	if m.Gleanings == 0 {
		return 1
	}
	return max(0, m.Gleanings)
}

// An aim is one of the things that a chunk is read for.
type aim struct {
	prompt, json, tuples string // names of prompts
	what                 string // is gleaned
	values               prompts.Values
}

// Chunk extracts from one chunk. An error says that the chunk could not be read
// at all; what a model wrote and nobody can read is counted in Unread.
func (m *Model) Chunk(ctx context.Context, c graph.Chunk) (graph.Extraction, error) {
	types := strings.Join(m.types(), ", ")
	aims := []aim{{
		prompts.Extract, prompts.FormatJSON, prompts.FormatTuples, "entities and relationships",
		prompts.Values{"types": types, "examples": m.Examples, "text": c.Text},
	}}
	if !m.WithoutClaims {
		aims = append(aims, aim{prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples, "claims", prompts.Values{"types": types, "text": c.Text}})
	}
	found := make([]graph.Extraction, len(aims))
	g, gctx := errgroup.WithContext(ctx)
	for i, a := range aims {
		g.Go(func() error {
			var err error
			found[i], err = m.read(gctx, a)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return graph.Extraction{}, fmt.Errorf("extract chunk %s: %w", c.Key, err)
	}
	out := graph.Extraction{Chunk: c.Key}
	for _, x := range found {
		add(&out, x)
	}
	return out, nil
}

func add(to *graph.Extraction, x graph.Extraction) {
	to.Entities = append(to.Entities, x.Entities...)
	to.Relationships = append(to.Relationships, x.Relationships...)
	to.Claims = append(to.Claims, x.Claims...)
	to.Unread += x.Unread
}

// A talk is a conversation about one chunk.
type talk struct {
	messages []llm.Message
	schema   *llm.Schema // nil for tuples
}

// read asks for the records of one aim, in the format that the model gives.
func (m *Model) read(ctx context.Context, a aim) (graph.Extraction, error) {
	asTuples := m.Format == FormatTuples || m.Format == "" && m.tuples.Load()
	x, t, err := m.first(ctx, a, asTuples)
	if reply, ok := errors.AsType[*llm.AnswerError](err); ok && !asTuples && m.Format == "" && errors.Is(err, llm.ErrInvalid) {
		// The server takes no schema and the model writes no JSON.
		if x = ParseTuples(reply.Text); empty(x) {
			if x, t, err = m.first(ctx, a, true); err != nil {
				return x, err
			}
		} else {
			t.messages, t.schema, err = append(t.messages, llm.Message{Role: "assistant", Content: reply.Text}), nil, nil
		}
		m.tuples.Store(true)
	}
	if err != nil {
		return x, err
	}
	if err := m.glean(ctx, a, t, &x); err != nil {
		return x, err
	}
	return x, ctx.Err()
}

func empty(x graph.Extraction) bool {
	return len(x.Entities)+len(x.Relationships)+len(x.Claims) == 0
}

// first asks the first question.
func (m *Model) first(ctx context.Context, a aim, asTuples bool) (graph.Extraction, talk, error) {
	var t talk
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
	system, user := p.Render(a.values)
	if system != "" {
		t.messages = append(t.messages, llm.Message{Role: "system", Content: system})
	}
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	x, err := m.ask(ctx, &t, validTuples)
	return x, t, err
}

// validTuples refuses answers that are no list of records at all.
func validTuples(text string) error {
	if x := ParseTuples(text); empty(x) && !endMark.MatchString(text) {
		return errors.New("it holds no record in the format asked for")
	}
	return nil
}

// ask sends the conversation, reads the records of the answer and keeps it.
func (m *Model) ask(ctx context.Context, t *talk, valid func(string) error) (graph.Extraction, error) {
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

// glean asks whether something was missed, and for that, until nothing is. A
// gleaning that fails is counted, and what is there stays; one that the budget
// does not allow is an error, since the next run can pay for it.
func (m *Model) glean(ctx context.Context, a aim, t talk, x *graph.Extraction) error {
	for range m.gleanings() {
		missed, err := m.missed(ctx, a, &t)
		if err == nil && !missed {
			return nil
		}
		var more graph.Extraction
		if err == nil {
			err = m.say(&t, prompts.Glean, a)
		}
		if err == nil {
			more, err = m.ask(ctx, &t, nil)
		}
		if errors.Is(err, llm.ErrBudget) {
			return err
		}
		if err != nil {
			m.lost.Add(1)
			return nil //nolint:nilerr // it is counted
		}
		add(x, more)
	}
	return nil
}

// say adds a prompt without material to the conversation.
func (m *Model) say(t *talk, prompt string, a aim) error {
	p, err := m.Prompts.Get(prompt)
	if err != nil {
		return err
	}
	_, user := p.Render(prompts.Values{"what": a.what})
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	return nil
}

// missed asks whether something was missed.
func (m *Model) missed(ctx context.Context, a aim, t *talk) (bool, error) {
	if err := m.say(t, prompts.GleanAsk, a); err != nil {
		return false, err
	}
	req := llm.Request{Task: TaskExtract, Messages: slices.Clone(t.messages)}
	if len(m.YesNo) > 0 {
		// So biased a model says nothing else, and does not end by itself.
		req.LogitBias, req.MaxTokens = m.YesNo, 1
	}
	res, err := m.Chat.Chat(ctx, req)
	if reply, ok := errors.AsType[*llm.AnswerError](err); ok && errors.Is(err, llm.ErrTruncated) {
		res.Text, err = reply.Text, nil
	}
	if err != nil {
		return false, err
	}
	t.messages = append(t.messages, llm.Message{Role: "assistant", Content: res.Text})
	return isYes(res.Text), nil
}

// isYes reads an answer as models give it: YES, "Yes.", **Y**, or yes in a
// sentence that holds no no.
func isYes(answer string) bool {
	words := strings.FieldsFunc(strings.ToLower(answer), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "yes", "y", "yeah", "yep":
		return true
	case "no", "n", "not", "none", "nothing":
		return false
	}
	return slices.Contains(words, "yes") && !slices.Contains(words, "no")
}
