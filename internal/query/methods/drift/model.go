package drift

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/prompts"
)

// TaskDrift is the task by which the calls of drift are counted, except the one
// that writes the answer.
const TaskDrift = "drift"

const (
	maxFollowUps      = 5   // that are taken of one call
	maxFollowUpLength = 500 // bytes
)

// driftModel explores by a model.
type driftModel struct{ model synth.Generative }

func (x driftModel) prime(ctx context.Context, question string, reports []neo4jstore.ReportRow) (finding, error) {
	f, err := x.read(ctx, prompts.Drift, prompts.Values{"question": question}, query.ReportBlocks(reports))
	if err != nil {
		return finding{}, fmt.Errorf("%s: %w", prompts.Drift, err)
	}
	return f, nil
}

func (x driftModel) follow(ctx context.Context, question string, f FollowUp, before notes, blocks []synth.Block) (finding, error) {
	return x.read(ctx, prompts.DriftFollow, prompts.Values{"question": question, "follow_up": f.Question, "found": before.lines()}, blocks)
}

// maxNotes is the number of bytes of the notes that a follow-up question is read with.
const maxNotes = 3000

// lines returns notes as lines of a prompt, as many as fit.
func (n notes) lines() string {
	var b strings.Builder
	for _, part := range []struct {
		word string
		list []string
	}{{"asked", n.asked}, {"found", n.found}} {
		for _, s := range part.list {
			if line := part.word + ": " + text.OneLine(s) + "\n"; b.Len()+len(line) <= maxNotes {
				b.WriteString(line)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// read asks for the points of some blocks, and for what to look up next.
func (x driftModel) read(ctx context.Context, prompt string, values prompts.Values, blocks []synth.Block) (finding, error) {
	reading, err := x.model.Read(ctx, synth.Call{
		Task: TaskDrift, Prompt: prompt, Schema: prompts.Drift, Values: values,
		Valid: func(answer string) error { _, err := parseFollowUps(answer); return err },
	}, blocks)
	if err != nil {
		return finding{}, err
	}
	next, err := parseFollowUps(reading.Answer)
	return finding{Reading: reading, next: next}, err
}

// parseFollowUps reads the questions to ask next, the best first.
func parseFollowUps(answer string) ([]FollowUp, error) {
	var raw struct {
		FollowUps []struct {
			Question string          `json:"question"`
			Score    json.RawMessage `json:"score"`
		} `json:"follow_ups"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the follow-up questions are not of the form asked for: %w", err)
	}
	var out []FollowUp
	for _, f := range raw.FollowUps {
		score, err := synth.ParseScore(f.Score)
		if err != nil {
			return nil, err
		}
		// It is searched for and shown: it has to be one short line.
		if question := text.OneLine(sanitize.Text(f.Question)); question != "" && len(question) <= maxFollowUpLength {
			out = append(out, FollowUp{question, score})
		}
	}
	slices.SortStableFunc(out, func(a, b FollowUp) int { return int(b.Score) - int(a.Score) })
	return out[:min(maxFollowUps, len(out))], nil
}

// conclude answers from the points of all findings that cite something.
func (x driftModel) conclude(ctx context.Context, r synth.Request, findings []finding, _ []FollowUp) (synth.Draft, error) {
	readings := make([]synth.Reading, len(findings))
	for i, f := range findings {
		readings[i] = f.Reading
	}
	return x.model.Reduce(ctx, r, readings, true)
}
