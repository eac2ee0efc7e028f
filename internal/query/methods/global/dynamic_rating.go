package global

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/parallel"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// TaskRate is the task by which calls that rate reports are counted.
const TaskRate = "rate"

const (
	ratedPerCall  = 24
	helpfulRating = 2 // of 0 to 5, from which on a report helps
	noRating      = -1
)

// ratings are the results of one round of rating.
type ratings struct {
	scores []int // of each report, or noRating
	calls  int
	failed int // reports
	err    error
}

// rate has the model rate reports by their titles and summaries, many in one call.
func rate(ctx context.Context, r query.Request, reports []neo4jstore.ReportRow) (ratings, error) {
	batches := batchesOf(len(reports), ratedPerCall)
	out := ratings{scores: make([]int, len(reports)), calls: len(batches)}
	rated, err := parallel.All(ctx, r.Options.Concurrency, batches, func(ctx context.Context, b batch) ([]int, error) {
		return rateBatch(ctx, r, reports[b.start:b.end])
	})
	if err != nil {
		return ratings{}, fmt.Errorf("rate: %w", err)
	}
	for i, b := range batches {
		if rated[i].Err == nil {
			copy(out.scores[b.start:b.end], rated[i].Value)
			continue
		}
		for at := b.start; at < b.end; at++ {
			out.scores[at] = noRating
		}
		out.failed += b.end - b.start
		out.err = errors.Join(out.err, rated[i].Err)
	}
	return out, nil
}

// A batch is the reports from start up to end.
type batch struct{ start, end int }

// batchesOf splits n things into runs of nearly equal length, at most size long.
func batchesOf(n, size int) []batch {
	count := (n + size - 1) / size
	out := make([]batch, count)
	for i := range out {
		out[i] = batch{i * n / count, (i + 1) * n / count}
	}
	return out
}

func rateBatch(ctx context.Context, r query.Request, reports []neo4jstore.ReportRow) ([]int, error) {
	values := prompts.Values{"question": r.Text, "context": ratedList(reports)}
	return prompts.Ask(ctx, r.Asker(TaskRate), prompts.Rate, values, func(answer string) ([]int, error) { return parseRatings(answer, len(reports)) })
}

// ratedList shows reports to the model that rates them. Each is two lines, so that no line of a
// summary can look like the head of another report.
func ratedList(reports []neo4jstore.ReportRow) string {
	var list strings.Builder
	for i, row := range reports {
		fmt.Fprintf(&list, "Report %d: %s\n%s\n\n", i+1, text.OneLine(report.Plain(row.Title)), text.OneLine(report.Plain(row.Summary)))
	}
	return strings.TrimSpace(list.String())
}

// parseRatings reads one score for each of n reports; numbers may be quoted.
func parseRatings(answer string, n int) ([]int, error) {
	var raw struct {
		Ratings []struct {
			Report json.RawMessage `json:"report"`
			Score  json.RawMessage `json:"score"`
		} `json:"ratings"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the ratings are not of the form asked for: %w", err)
	}
	scores := make([]int, n)
	for i := range scores {
		scores[i] = noRating
	}
	for _, r := range raw.Ratings {
		at, err := strconv.Atoi(llm.Unquote(r.Report))
		if err != nil || at < 1 || at > n {
			return nil, fmt.Errorf("there is no report %s: the numbers are 1 to %d", r.Report, n)
		}
		score, err := strconv.ParseFloat(llm.Unquote(r.Score), 64)
		if err != nil {
			return nil, fmt.Errorf("the score %s of report %d is not a number", r.Score, at)
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
