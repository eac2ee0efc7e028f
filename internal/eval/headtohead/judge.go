// Package headtohead has a model compare two answers to one question (GraphRAG, section 3.3 and
// appendix F; LightRAG, section 4.1). The judge sees the question and both answers without their
// references, not which method wrote them.
package headtohead

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// Task is the task by which the calls are counted.
const Task = "head-to-head"

// criteria are the criteria with the prompts that define them, in the order of the papers' tables.
var criteria = []struct{ name, prompt string }{
	{"comprehensiveness", prompts.CriterionComprehensiveness},
	{"diversity", prompts.CriterionDiversity},
	{"empowerment", prompts.CriterionEmpowerment},
	{"directness", prompts.CriterionDirectness},
	{"overall", prompts.CriterionOverall},
}

// Criteria returns the names of the criteria.
func Criteria() []string {
	names := make([]string, len(criteria))
	for i, c := range criteria {
		names[i] = c.name
	}
	return names
}

// temperature is the temperature of a judgement: replicates should differ where the judge is undecided.
const temperature = 1

// A Judge compares answers.
type Judge struct {
	Chat    llm.Chat
	Prompts prompts.Set
}

// Identity names the model, with its parameters, and the prompts: judgements of another judge are
// other cells.
func (j Judge) Identity() string {
	names := []string{prompts.HeadToHead}
	for _, c := range criteria {
		names = append(names, c.prompt)
	}
	return llm.Identity(j.Chat) + " " + j.Prompts.Fingerprint(names...)[:12]
}

// An AnswerPair is two answers to a question, in the order in which the judge reads them.
type AnswerPair struct{ Question, First, Second string }

// maxReasoning is the longest reasoning that is kept, in bytes.
const maxReasoning = 2000

// Compare returns the winner of a pair by a criterion, with the reasoning and the usage. Each
// replicate, from 0, has its own seed, so that none is answered from the cache of another.
func (j Judge) Compare(ctx context.Context, p AnswerPair, criterion string, replicate int) (evalrun.Judgement, error) {
	out := evalrun.Judgement{Criterion: criterion, Replicate: replicate, Judge: j.Identity()}
	req, err := j.request(p, criterion)
	if err != nil {
		return out, err
	}
	seed := int64(replicate) + 1
	req.Temperature, req.Seed = temperature, &seed
	meter := &llm.Meter{}
	res, err := j.Chat.Chat(llm.WithMeter(ctx, meter), req)
	if err != nil {
		return out, fmt.Errorf("compare two answers by %s: %w", criterion, err)
	}
	used := meter.Total().Add(meter.Saved())
	out.Usage = evalrun.Usage{Calls: used.Calls, TokensIn: used.TokensIn, TokensOut: used.TokensOut, Cost: used.Cost}
	out.Winner, out.Reasoning, err = parse(res.Text)
	return out, err
}

// request returns the call that compares a pair.
func (j Judge) request(p AnswerPair, criterion string) (llm.Request, error) {
	at := slices.IndexFunc(criteria, func(c struct{ name, prompt string }) bool { return c.name == criterion })
	if at < 0 {
		return llm.Request{}, fmt.Errorf("unknown criterion %q: choose from %s", criterion, strings.Join(Criteria(), ", "))
	}
	definition, err := j.Prompts.Get(criteria[at].prompt)
	if err != nil {
		return llm.Request{}, err
	}
	prompt, err := j.Prompts.Get(prompts.HeadToHead)
	if err != nil {
		return llm.Request{}, err
	}
	system, user := prompt.Render(prompts.Values{
		"definition": definition.User, "criterion": criterion, "question": p.Question,
		"first": cite.StripNumbers(p.First), "second": cite.StripNumbers(p.Second),
	})
	return llm.Request{
		Task: Task, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema: &llm.Schema{Name: prompts.HeadToHead, JSON: prompt.Schema},
		Valid:  func(answer string) error { _, _, err := parse(answer); return err },
	}, nil
}

// parse reads the answer of a judge. Some models write the winner as a text, such as "Answer 1".
func parse(answer string) (winner int, reasoning string, err error) {
	var raw struct {
		Winner    any    `json:"winner"`
		Reasoning string `json:"reasoning"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return 0, "", fmt.Errorf("the judgement is not of the form asked for: %w", err)
	}
	named := strings.TrimPrefix(strings.TrimSpace(fmt.Sprint(raw.Winner)), "Answer ")
	winner, err = strconv.Atoi(named)
	switch {
	case err != nil || winner < 0 || winner > 2:
		return 0, "", fmt.Errorf("the winner is %.20q: it must be 1, 2 or 0", named)
	case strings.TrimSpace(raw.Reasoning) == "":
		return 0, "", errors.New("the reasoning is missing")
	}
	return winner, text.Truncate(strings.TrimSpace(raw.Reasoning), maxReasoning), nil
}
