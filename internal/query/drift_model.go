package query

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/prompts"
)

// TaskDrift is the task by which the calls of drift are counted, beside that of the answer.
const TaskDrift = "drift"

// mostFollowUps is how many questions of one call are taken.
const mostFollowUps = 5

// driftModel explores by a model.
type driftModel struct{ m modelled }

func (x driftModel) prime(ctx context.Context, q Question, reports []neo4jstore.ReportRow) (finding, error) {
	f, err := x.read(ctx, prompts.Drift, prompts.Values{"question": q.Text}, reportBlocks(reports))
	if err != nil {
		return finding{}, fmt.Errorf("%s: %w", prompts.Drift, err)
	}
	return f, nil
}

func (x driftModel) follow(ctx context.Context, q Question, f FollowUp, blocks []block) (finding, error) {
	return x.read(ctx, prompts.DriftFollow, prompts.Values{"question": q.Text, "follow_up": f.Question}, blocks)
}

// read asks for the points of some blocks, and for what to look up next.
func (x driftModel) read(ctx context.Context, prompt string, values prompts.Values, blocks []block) (finding, error) {
	p, err := x.m.Prompts.Get(prompt)
	if err != nil {
		return finding{}, err
	}
	w := show(blocks)
	values["kind"], values["context"] = w.kind, w.text
	system, user := p.Render(values)
	valid := func(text string) error {
		if _, err := pointsOf(text); err != nil {
			return err
		}
		_, err := followUpsOf(text)
		return err
	}
	res, err := x.m.Map.Chat(ctx, llm.Request{
		Task: TaskDrift, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema: &llm.Schema{Name: prompts.Drift, JSON: p.Schema}, Valid: valid,
	})
	if err != nil {
		return finding{}, err
	}
	next, err := followUpsOf(res.Text)
	return finding{answer: res.Text, shown: w, blocks: blocks, next: next}, err
}

// followUpsOf reads the questions to ask next, the best first.
func followUpsOf(text string) ([]FollowUp, error) {
	var raw struct {
		FollowUps []struct {
			Question string          `json:"question"`
			Score    json.RawMessage `json:"score"`
		} `json:"follow_ups"`
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("the follow-up questions are not of the form asked for: %w", err)
	}
	var out []FollowUp
	for _, f := range raw.FollowUps {
		score, err := scoreOf(f.Score)
		if err != nil {
			return nil, err
		}
		// A question is asked of the store and shown: it is one short line.
		if question := foldSpace(harmless(f.Question)); question != "" && len(question) <= mostQuestion {
			out = append(out, FollowUp{question, score})
		}
	}
	slices.SortStableFunc(out, func(a, b FollowUp) int { return int(b.Score) - int(a.Score) })
	return out[:min(mostFollowUps, len(out))], nil
}

// mostQuestion is the length of a follow-up question, in bytes.
const mostQuestion = 500

// conclude answers from the points of all findings. A point that rests on
// nothing that was shown is left out.
func (x driftModel) conclude(ctx context.Context, q Question, findings []finding, _ []FollowUp) (draft, error) {
	d := draft{written: true}
	var numbers report.Numbers
	var points []point
	var blocks []block
	for _, f := range findings {
		found, removed := readPoints(f.answer, f.shown.offered, &numbers)
		d.dangling += removed
		for _, p := range found {
			if marks.MatchString(p.text) {
				points = append(points, p)
			}
		}
		blocks = append(blocks, f.blocks...)
	}
	if len(points) == 0 {
		d.written = false
		return d, nil
	}
	return x.m.reduce(ctx, q, d, points, &numbers, blocks)
}
