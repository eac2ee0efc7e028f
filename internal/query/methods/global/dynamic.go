package global

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/overview"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// ratingCalls is how many calls rate reports by default.
const ratingCalls = 16

// maxRatedPerLevel is the number of reports of a level that a model rates: those
// that are most relevant by the search.
const maxRatedPerLevel = 72

// A selector walks down the hierarchy and keeps the reports of the deepest
// communities that help to answer a question.
type selector struct {
	query.Request

	maxCalls  int
	hierarchy retrieve.Hierarchy
	relevance retrieve.ReportRelevance
	overview  bool // as route.IsOverview
	kept      []neo4jstore.ReportRow
	selection Selection
	notes     []string
	unrated   int // reports that no call was left for
}

// answerDynamic is the global answer from the reports that matter.
func answerDynamic(ctx context.Context, r query.Request) (query.Answer, error) {
	hierarchy, ok := r.Reader.Hierarchy()
	if !ok {
		return query.Answer{}, fmt.Errorf("%w: choosing reports takes no filters and only one corpus", query.ErrFilter)
	}
	s := &selector{Request: r, maxCalls: cmp.Or(query.SettingsOf[Settings](r.Question, "global").MaxCalls, ratingCalls), hierarchy: hierarchy, overview: route.IsOverview(textproc.ReadQuestion(r.Text))}
	roots, err := s.selectReports(ctx)
	if err != nil {
		return query.Answer{}, err
	}
	o, err := overview.Read(ctx, r, overview.SearchNames(r))
	if err != nil {
		return query.Answer{}, err
	}
	a, err := mapReports(ctx, r, s.kept, synth.Size{}, query.Completion{Lead: o.Lead, Reports: func() ([]neo4jstore.ReportRow, error) { return roots, nil }})
	a.Traces, a.Notes = append(a.Traces, s.selection), append(a.Notes, s.notes...)
	return a, err
}

// selectReports chooses reports from the roots down to the level of the
// question. It returns the roots, with which it began.
func (s *selector) selectReports(ctx context.Context) (roots []neo4jstore.ReportRow, err error) {
	if roots, err = s.hierarchy.Roots(ctx); err != nil {
		return nil, err
	}
	if s.relevance, s.notes, err = s.hierarchy.Relevance(ctx, s.Text); err != nil {
		return nil, err
	}
	if err = s.descend(ctx, slices.Clone(roots)); err != nil {
		return nil, err
	}
	slices.SortFunc(s.kept, func(a, b neo4jstore.ReportRow) int { return strings.Compare(a.Key, b.Key) })
	return roots, s.measure(ctx)
}

// descend judges level after level. A report that helps is replaced by those below
// it that help; where none of them does, it is kept. Where nothing helps at all,
// the walk continues further down as long as calls are left.
func (s *selector) descend(ctx context.Context, frontier []neo4jstore.ReportRow) error {
	parents := map[string]neo4jstore.ReportRow{} // by community; kept unless a child helps
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
			if s.stopsAt(r) {
				s.kept = append(s.kept, r)
				continue
			}
			parents[r.Community.Key] = r
			down = append(down, r.Community.Key)
		}
		if len(down) == 0 && len(s.kept) == 0 && s.Options.Model != nil {
			for _, r := range rest {
				if !s.stopsAt(r) {
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

// stopsAt reports whether dynamic selection goes no further down from a report. Without a
// model, an overview question is answered at the roots.
func (s *selector) stopsAt(r neo4jstore.ReportRow) bool {
	return r.Final || r.Level >= s.Level.Number() || s.overview && s.Options.Model == nil ||
		s.Options.Model != nil && s.selection.Calls >= s.maxCalls
}

func (s *selector) keep(reports map[string]neo4jstore.ReportRow) {
	for _, r := range reports {
		s.kept = append(s.kept, r)
	}
}

// judge separates the reports that help from the rest.
func (s *selector) judge(ctx context.Context, reports []neo4jstore.ReportRow) (helps, rest []neo4jstore.ReportRow, err error) {
	s.relevance.Sort(reports, s.overview)
	scores := make([]int, len(reports))
	for i := range scores {
		scores[i] = noRating
	}
	if s.Options.Model != nil {
		n := min(len(reports), maxRatedPerLevel, ratedPerCall*max(0, s.maxCalls-s.selection.Calls))
		s.unrated += len(reports) - n
		result, err := rate(ctx, s.Request, reports[:n])
		if err != nil {
			return nil, nil, err
		}
		if result.failed > 0 {
			if result.failed == n && s.selection.Calls == 0 {
				return nil, nil, fmt.Errorf("rate: %w", result.err)
			}
			s.notes = append(s.notes, fmt.Sprintf("%d of %d reports could not be rated and were judged by the search: %s", result.failed, n, text.FirstLine(result.err.Error())))
		}
		s.selection.Calls += result.calls
		s.selection.Rated += n
		for i := range n {
			scores[i] = result.scores[i]
			s.selection.RatedTokens += synth.ApproximateTokens(reports[i].Title) + synth.ApproximateTokens(reports[i].Summary)
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

// helps judges a report by its rating, or by the search without one.
func (s *selector) helps(r neo4jstore.ReportRow, score int) bool {
	if score != noRating {
		return score >= helpfulRating
	}
	return s.overview || s.relevance.Relevant(r.Community.Key)
}

// measure compares what was read with the level view.
func (s *selector) measure(ctx context.Context) error {
	sizes, err := s.hierarchy.Sizes(ctx)
	views := query.LevelViews(sizes)
	if err != nil || len(views) == 0 {
		return err
	}
	view := views[min(s.Level.Number(), len(views)-1)]
	s.selection.ViewReports, s.selection.ViewTokens = view.Reports, view.Tokens
	s.selection.Reports = len(s.kept)
	for _, r := range s.kept {
		s.selection.Tokens += r.NTokens
	}
	chosen := ""
	if s.selection.Rated > 0 {
		chosen = fmt.Sprintf(", and titles and summaries of %d in %d calls (%d tokens) to choose them", s.selection.Rated, s.selection.Calls, s.selection.RatedTokens)
	}
	s.notes = append(s.notes, fmt.Sprintf("Read %d reports (%d tokens)%s; level %d has %d reports (%d tokens).",
		s.selection.Reports, s.selection.Tokens, chosen, view.Level, view.Reports, view.Tokens))
	if s.unrated > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d less relevant reports were not rated; --max-calls limits the calls.", s.unrated))
	}
	return nil
}
