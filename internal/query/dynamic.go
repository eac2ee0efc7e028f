package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/textproc"
)

// A Selection is what dynamic selection read, beside the level view that it
// stands in for.
type Selection struct {
	Reports     int `json:"reports"` // that were chosen
	Tokens      int `json:"tokens"`
	Rated       int `json:"rated"` // whose titles and summaries a model rated
	RatedTokens int `json:"rated_tokens"`
	Calls       int `json:"calls"`        // of a model, to rate
	ViewReports int `json:"view_reports"` // of the whole level
	ViewTokens  int `json:"view_tokens"`
}

// ratedPerLevel is how many reports of a level a model rates: those that reach
// nearest to the question.
const ratedPerLevel = 72

// selector walks down the hierarchy and keeps the reports that speak to a
// question: those of the deepest communities that do.
type selector struct {
	request

	hierarchy Hierarchy
	near      closeness
	overview  bool
	kept      []neo4jstore.ReportRow
	out       Selection
	notes     []string
	passed    int // reports that no call was left for
}

// answerDynamic is the global answer from the reports that matter.
func (r request) answerDynamic(ctx context.Context) (Answer, error) {
	hierarchy, ok := r.reader.Hierarchy()
	if !ok {
		return Answer{}, fmt.Errorf("%w: choosing reports takes no filters and one corpus alone", ErrFilter)
	}
	s := &selector{request: r, hierarchy: hierarchy, overview: isOverview(textproc.ReadQuestion(r.Text))}
	roots, err := s.selectReports(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.mapReports(ctx, s.kept, func() ([]neo4jstore.ReportRow, error) { return roots, nil })
	a.Selection, a.Notes = &s.out, append(a.Notes, s.notes...)
	return a, err
}

// selectReports chooses reports from the roots down to the level of the
// question. It returns the roots, with which it began.
func (s *selector) selectReports(ctx context.Context) (roots []neo4jstore.ReportRow, err error) {
	if roots, err = s.hierarchy.Roots(ctx); err != nil {
		return nil, err
	}
	if s.near, s.notes, err = s.hierarchy.close(ctx, s.Text); err != nil {
		return nil, err
	}
	if err = s.descend(ctx, slices.Clone(roots)); err != nil {
		return nil, err
	}
	slices.SortFunc(s.kept, func(a, b neo4jstore.ReportRow) int { return strings.Compare(a.Key, b.Key) })
	return roots, s.measure(ctx)
}

// descend judges level after level. A report that helps gives way to those below
// it that help; where none of them does it stays. Where nothing helps at all the
// way leads further down, as far as calls are left.
func (s *selector) descend(ctx context.Context, frontier []neo4jstore.ReportRow) error {
	parents := map[string]neo4jstore.ReportRow{} // that stay unless a child helps
	for {
		helps, rest, err := s.judge(ctx, frontier)
		if err != nil {
			return err
		}
		for _, r := range helps {
			delete(parents, r.Community.Parent)
		}
		s.keep(parents)
		parents = map[string]neo4jstore.ReportRow{}
		var down []string
		for _, r := range helps {
			if s.ends(r) {
				s.kept = append(s.kept, r)
				continue
			}
			parents[r.Community.Key] = r
			down = append(down, r.Community.Key)
		}
		if len(down) == 0 && len(s.kept) == 0 && s.options.Model != nil {
			for _, r := range rest {
				if !s.ends(r) {
					down = append(down, r.Community.Key)
				}
			}
		}
		if len(down) == 0 {
			return nil
		}
		if frontier, err = s.hierarchy.Below(ctx, down); err != nil {
			return err
		}
		if len(frontier) == 0 {
			s.keep(parents)
			return nil
		}
	}
}

// ends reports that the way down ends at a report. A question about the whole
// is answered at the roots when no model reads.
func (s *selector) ends(r neo4jstore.ReportRow) bool {
	return r.Final || r.Level >= s.Level.Number() || s.overview && s.options.Model == nil ||
		s.options.Model != nil && s.out.Calls >= s.MaxCalls
}

func (s *selector) keep(reports map[string]neo4jstore.ReportRow) {
	for _, r := range reports {
		s.kept = append(s.kept, r)
	}
}

// judge parts the reports that help from the rest.
func (s *selector) judge(ctx context.Context, reports []neo4jstore.ReportRow) (helps, rest []neo4jstore.ReportRow, err error) {
	s.near.order(reports, s.overview)
	scores := make([]int, len(reports))
	for i := range scores {
		scores[i] = noRating
	}
	if s.options.Model != nil {
		n := min(len(reports), ratedPerLevel, ratedAtOnce*max(0, s.MaxCalls-s.out.Calls))
		s.passed += len(reports) - n
		result, err := s.model().rate(ctx, s.Question, reports[:n])
		if err != nil {
			return nil, nil, err
		}
		if result.failed > 0 {
			if result.failed == n && s.out.Calls == 0 {
				return nil, nil, fmt.Errorf("rate: %w", result.err)
			}
			s.notes = append(s.notes, fmt.Sprintf("%d of %d reports could not be rated and were judged by their nearness to the question: %s", result.failed, n, firstLine(result.err)))
		}
		s.out.Calls += result.calls
		s.out.Rated += n
		for i := range n {
			scores[i] = result.scores[i]
			s.out.RatedTokens += approximateTokens(reports[i].Title) + approximateTokens(reports[i].Summary)
		}
		rest = append(rest, reports[n:]...)
		reports = reports[:n]
	}
	for i, r := range reports {
		if s.helps(r, scores[i]) {
			helps = append(helps, r)
		} else {
			rest = append(rest, r)
		}
	}
	return helps, rest, nil
}

// helps judges by the rating, and without one by nearness.
func (s *selector) helps(r neo4jstore.ReportRow, score int) bool {
	if score != noRating {
		return score >= helpful
	}
	return s.overview || s.near.reach[r.Community.Key] >= s.near.least
}

// measure compares what was read with the level view.
func (s *selector) measure(ctx context.Context) error {
	sizes, err := s.hierarchy.Sizes(ctx)
	views := viewsOf(sizes)
	if err != nil || len(views) == 0 {
		return err
	}
	view := views[min(s.Level.Number(), len(views)-1)]
	s.out.ViewReports, s.out.ViewTokens = view.Reports, view.Tokens
	s.out.Reports = len(s.kept)
	for _, r := range s.kept {
		s.out.Tokens += r.NTokens
	}
	chosen := ""
	if s.out.Rated > 0 {
		chosen = fmt.Sprintf(", and titles and summaries of %d in %d calls (%d tokens) to choose them", s.out.Rated, s.out.Calls, s.out.RatedTokens)
	}
	s.notes = append(s.notes, fmt.Sprintf("Read %d reports (%d tokens)%s; level %d has %d reports (%d tokens).",
		s.out.Reports, s.out.Tokens, chosen, view.Level, view.Reports, view.Tokens))
	if s.passed > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d reports far from the question were not rated; --max-calls bounds the calls.", s.passed))
	}
	return nil
}
