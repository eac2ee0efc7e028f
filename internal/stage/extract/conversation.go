package extract

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// A recordTask is what a text is read for.
type recordTask struct {
	prompt       string // names of prompts
	json, tuples string
	schema       string // of the prompts, the one with the schema of the answer
	what         string // what the gleaning prompts ask for
	last         bool   // the text cannot be divided if an answer is cut off
	values       prompts.Values
}

// entityTask asks for entities and relationships, and joint also for claims.
func (m *Model) entityTask(text string, joint, last bool) recordTask {
	a := recordTask{
		prompts.Extract, prompts.FormatJSON, prompts.FormatTuples, prompts.Extract, "entities and relationships", last,
		prompts.Values{"types": m.typeList(), "text": text},
	}
	if joint {
		a.json, a.tuples, a.schema = prompts.JointJSON, prompts.JointTuples, prompts.JointJSON
		a.what = "entities, relationships and claims"
	}
	return a
}

// claimTask asks for claims about entities that were found.
func (m *Model) claimTask(text string, entities []graph.EntityRecord, last bool) recordTask {
	var names []string
	for _, e := range entities {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return recordTask{
		prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples, prompts.Claims, "claims", last,
		prompts.Values{"types": m.typeList(), "names": strings.Join(names, "\n"), "text": text},
	}
}

// A conversation is the exchange with the model about one text.
type conversation struct {
	messages []llm.Message
	schema   *llm.Schema // nil for tuples
}

// readRecords asks for the records of one task, in the format that the model can write.
func (m *Model) readRecords(ctx context.Context, a recordTask, asTuples bool) (graph.Extraction, conversation, error) {
	x, t, err := m.askFirst(ctx, a, asTuples)
	reply, ok := errors.AsType[*llm.AnswerError](err)
	if !ok || asTuples || m.Format != "" || !errors.Is(err, llm.ErrInvalid) {
		return x, t, err
	}
	// The server does not accept a schema and the model does not write JSON.
	if x = ParseTuples(reply.Text); isEmpty(x) {
		x, t, err = m.askFirst(ctx, a, true)
	} else {
		t.messages, t.schema, err = append(t.messages, llm.Message{Role: "assistant", Content: reply.Text}), nil, nil
	}
	if err == nil {
		m.tally.tuples.Add(1)
	}
	return x, t, err
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
	} else if t.schema, err = m.schema(a); err != nil {
		return graph.Extraction{}, t, err
	}
	values, err := m.values(a, format)
	if err != nil {
		return graph.Extraction{}, t, err
	}
	system, user := p.Render(values)
	if system != "" {
		t.messages = append(t.messages, llm.Message{Role: "system", Content: system})
	}
	t.messages = append(t.messages, llm.Message{Role: "user", Content: user})
	x, err := m.ask(ctx, &t, a.last, validTuples)
	return x, t, err
}

// values returns the values of the placeholders of a task's prompt.
func (m *Model) values(a recordTask, format string) (prompts.Values, error) {
	f, err := m.Prompts.Get(format)
	if err != nil {
		return nil, err
	}
	values := maps.Clone(a.values)
	_, values["format"] = f.Render(nil)
	if a.prompt == prompts.Extract {
		values["examples"] = m.Domain.prompt(format == a.tuples, a.schema != prompts.Extract, prompts.Name(m.Language))
	}
	if a.schema == prompts.Extract {
		return values, nil
	}
	step, err := m.Prompts.Get(prompts.ClaimsStep)
	if err != nil {
		return nil, err
	}
	_, values["claims"] = step.Render(nil)
	switch {
	case a.prompt == prompts.Extract:
		values["claims"] = "Step 3. " + values["claims"] + "\n\n"
	case m.Language != "":
		values["claims"] += "\n\n" + languageRule(prompts.Name(m.Language))
	}
	return values, nil
}

// schema returns the schema of the answers to a task.
func (m *Model) schema(a recordTask) (*llm.Schema, error) {
	p, err := m.Prompts.Get(a.schema)
	if err != nil {
		return nil, err
	}
	var types []string
	for _, t := range m.types() {
		types = append(types, strings.ToLower(t))
	}
	schema, err := p.SchemaWith("types", types)
	return &llm.Schema{Name: a.prompt, JSON: schema}, err
}

// validTuples returns an error for an answer that is not a list of records. The
// text of the error goes to the model with the next request.
func validTuples(text string) error {
	if x := ParseTuples(text); isEmpty(x) && !endMark.MatchString(text) {
		return errors.New("it holds no record in the format asked for")
	}
	return nil
}

// validJSON returns an error for an answer with records that cannot be read.
func validJSON(text string) error {
	x, err := ParseJSON(text)
	if err == nil && x.Unread > 0 {
		err = fmt.Errorf("%d of its records lack a name or are not objects", x.Unread)
	}
	return err
}

// ask sends the conversation, appends the answer to it and parses its records. Of an answer
// that was cut off it returns the complete records and llm.ErrTruncated: with these alone
// the chunk would count as extracted, and no later run would find the others.
// The last resort, where the text cannot be divided, is to ask for fewer words.
func (m *Model) ask(ctx context.Context, t *conversation, last bool, validTuples func(string) error) (graph.Extraction, error) {
	req := llm.Request{Task: TaskExtract, Messages: slices.Clone(t.messages), Schema: t.schema, Shorten: last, Valid: validJSON}
	if t.schema == nil {
		req.Valid = validTuples
	}
	res, err := m.Chat.Chat(ctx, req)
	if reply, ok := errors.AsType[*llm.AnswerError](err); ok && t.schema != nil && errors.Is(err, llm.ErrInvalid) {
		// Without one of the lists that were asked for, or with records that cannot be read.
		if x, ok := parseLists(reply.Text); ok {
			t.messages = append(t.messages, llm.Message{Role: "assistant", Content: reply.Text})
			return x, nil
		}
	}
	if cut, ok := errors.AsType[*llm.AnswerError](err); ok && errors.Is(err, llm.ErrTruncated) {
		return parseCut(cut.Text), err
	}
	if err != nil {
		return graph.Extraction{}, err
	}
	t.messages = append(t.messages, llm.Message{Role: "assistant", Content: res.Text})
	if t.schema == nil {
		return ParseTuples(res.Text), nil
	}
	return ParseJSON(res.Text)
}
