package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/prompts"
)

// TaskRate is the task by which calls that rate reports are counted.
const TaskRate = "rate"

const (
	ratedAtOnce = 24 // reports in one call
	helpful     = 2  // of 0 to 5, from which on a report counts
	noRating    = -1
)

// rated is what a round of rating found.
type rated struct {
	scores []int // of each report, or noRating
	calls  int
	failed int // reports
	err    error
}

// rate asks a model how far reports speak to the question, by their titles and
// summaries, many in one call.
func (m modelled) rate(ctx context.Context, q Question, reports []neo4jstore.ReportRow) (rated, error) {
	batches := batchesOf(len(reports), ratedAtOnce)
	out := rated{scores: make([]int, len(reports)), calls: len(batches)}
	errs := make([]error, len(batches))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(m.concurrency)
	for i, b := range batches {
		g.Go(func() error {
			var scores []int
			if scores, errs[i] = m.rateBatch(gctx, q, reports[b.start:b.end]); errs[i] == nil {
				copy(out.scores[b.start:b.end], scores)
			}
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return rated{}, fmt.Errorf("rate: %w", err)
	}
	for i, b := range batches {
		if errs[i] == nil {
			continue
		}
		for at := b.start; at < b.end; at++ {
			out.scores[at] = noRating
		}
		out.failed += b.end - b.start
		out.err = errors.Join(out.err, errs[i])
	}
	return out, nil
}

// batchesOf cuts n things into runs of nearly equal length, at most size long.
func batchesOf(n, size int) []span {
	count := (n + size - 1) / size
	out := make([]span, count)
	for i := range out {
		out[i] = span{i * n / count, (i + 1) * n / count}
	}
	return out
}

func (m modelled) rateBatch(ctx context.Context, q Question, reports []neo4jstore.ReportRow) ([]int, error) {
	var text strings.Builder
	for i, r := range reports {
		fmt.Fprintf(&text, "Report %d: %s\n%s\n\n", i+1, report.Plain(r.Title), strings.TrimSpace(report.Plain(r.Summary)))
	}
	values := prompts.Values{"question": q.Text, "context": strings.TrimSpace(text.String())}
	answer, err := m.askJSON(ctx, TaskRate, prompts.Rate, values, func(text string) error { _, err := ratingsOf(text, len(reports)); return err })
	if err != nil {
		return nil, err
	}
	return ratingsOf(answer, len(reports))
}

// ratingsOf reads one score for each of n reports; numbers may stand in quotes.
func ratingsOf(text string, n int) ([]int, error) {
	var raw struct {
		Ratings []struct {
			Report json.RawMessage `json:"report"`
			Score  json.RawMessage `json:"score"`
		} `json:"ratings"`
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("the ratings are not of the form asked for: %w", err)
	}
	scores := make([]int, n)
	for i := range scores {
		scores[i] = noRating
	}
	for _, r := range raw.Ratings {
		at, err := strconv.Atoi(unquoted(r.Report))
		if err != nil || at < 1 || at > n {
			return nil, fmt.Errorf("there is no report %s: they are 1 to %d", r.Report, n)
		}
		score, err := strconv.ParseFloat(unquoted(r.Score), 64)
		if err != nil {
			return nil, fmt.Errorf("the score %s of report %d is no number", r.Score, at)
		}
		scores[at-1] = int(min(max(score, 0), 5))
	}
	for i, s := range scores {
		if s == noRating {
			return nil, fmt.Errorf("report %d has no rating", i+1)
		}
	}
	return scores, nil
}

func unquoted(raw json.RawMessage) string { return strings.Trim(string(raw), `" `) }
