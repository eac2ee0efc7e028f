package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// reportPage is the number of communities that are read with their records at a time, and
// modelReportPage that where a model writes reports: what was read is reported before a parent that
// became ready meanwhile.
const (
	reportPage      = 64
	modelReportPage = 16
)

// A reporting is the stage report.
type reporting struct {
	*stage

	generation   int64                      // that is being written
	known        map[string]graph.Community // its communities by key
	predecessors *neo4jstore.Predecessors   // communities that end with it
	staleness    float64                    // Options.Rewrite.Stale; 0 after texts were removed, whose words must not stay
	// byModel are the keys of the communities whose reports the model writes; nil means all.
	byModel       map[string]bool
	usualLanguage string // of most documents, in which reports are written if none was chosen
	order         *reportOrder
	breaker       circuitBreaker
	roomNoted     sync.Once // that the context of reports is lowered
}

// run writes the reports of marked communities, the children's before the report of
// their parent, whose context may contain them. Then it embeds the reports and makes
// the new generation visible.
func (s *reporting) run(ctx context.Context) error {
	c, err := s.store.Corpus(ctx, s.Corpus)
	if err != nil {
		return err
	}
	if s.generation = c.Generation + 1; !c.Forgetting {
		s.staleness = s.Rewrite.Stale
	}
	if !s.WithoutReports {
		if err := s.reports(ctx); err != nil {
			return err
		}
	}
	if err := s.embedReports(ctx); err != nil {
		return err
	}
	if err := s.flip(ctx); err != nil || !c.Forgetting {
		return err
	}
	marks, err := s.store.Pending(ctx, s.Corpus)
	if err != nil || marks["report"] > 0 {
		return err
	}
	return s.writer.SetForgetting(ctx, false)
}

func (s *reporting) reports(ctx context.Context) error {
	marks, err := s.store.Pending(ctx, s.Corpus)
	if err != nil || marks["report"] == 0 {
		return err
	}
	all, err := s.communities(ctx)
	if err != nil {
		return err
	}
	if err := s.chooseAuthors(ctx, all); err != nil {
		return err
	}
	marked, err := s.markedCommunities(ctx, all)
	if err != nil {
		return err
	}
	s.addTotal(len(marked))
	s.shared.change(func(r *Result) { r.Reports.Kept, r.Reports.Rewritten = len(all), 0 })
	s.known = make(map[string]graph.Community, len(all))
	for _, k := range all {
		s.known[k.Key] = k
	}
	if s.predecessors, err = s.store.Predecessors(ctx, s.Corpus, s.generation); err != nil {
		return fmt.Errorf("read predecessors: %w", err)
	}
	s.order, s.breaker.limit = newReportOrder(all, marked), 2*s.Concurrency
	return parallelMap(ctx, s.Concurrency, s.reportContexts, s.reportOne, func(done []reportResult) error {
		return s.writeReports(ctx, done)
	})
}

// communities returns the communities of the generation by level and ordinal: those that this
// run found, or the communities of the graph, without members.
func (s *reporting) communities(ctx context.Context) ([]graph.Community, error) {
	if g := s.shared.regrouped; g != nil && g.generation == s.generation {
		return g.now, nil
	}
	all, err := s.store.Communities(ctx, s.Corpus, s.generation, false)
	if err != nil {
		return nil, fmt.Errorf("read communities: %w", err)
	}
	return all, nil
}

// markedCommunities returns the keys of all communities with a mark of this stage.
func (s *reporting) markedCommunities(ctx context.Context, all []graph.Community) ([]string, error) {
	var keys []string
	deepest := -1
	for _, k := range all {
		deepest = max(deepest, k.Level)
	}
	for level := range deepest + 1 {
		pending := inPages(s.Corpus, func(ctx context.Context, corpus, after string, n int) ([]graph.Community, error) {
			return s.store.PendingReports(ctx, corpus, s.generation, level, after, n)
		}, labelPage, func(k graph.Community) string { return k.Key })
		for k, err := range pending(ctx) {
			if err != nil {
				return nil, fmt.Errorf("read pending reports: %w", err)
			}
			keys = append(keys, k.Key)
		}
	}
	return keys, nil
}

// reportContexts iterates over the records of the communities that order hands out.
func (s *reporting) reportContexts(ctx context.Context) iter.Seq2[neo4jstore.ReportContext, error] {
	return func(yield func(neo4jstore.ReportContext, error) bool) {
		reader := s.store.ReportReader(s.Corpus, s.generation).WithSections(s.isOffline)
		if s.showsOutside() {
			reader = reader.WithOutside()
		}
		most := reportPage
		if s.Model != nil {
			most = modelReportPage
		}
		for {
			keys, more := s.order.take(most)
			if len(keys) == 0 {
				if !more {
					return
				}
				select {
				case <-s.order.changed:
					continue
				case <-ctx.Done():
					yield(neo4jstore.ReportContext{}, context.Cause(ctx))
					return
				}
			}
			page := make([]graph.Community, len(keys))
			for i, key := range keys {
				page[i] = s.known[key]
			}
			for c, err := range reader.Contexts(ctx, page) {
				if err != nil {
					err = fmt.Errorf("read report contexts: %w", err)
				}
				for i := range c.Children { // readers still see the previous labels
					c.Children[i].Label = s.known[c.Children[i].Report.Community].Label
				}
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// writeReports writes some reports and the reasons of those that failed, and marks them
// as done in order, so that their parents can follow.
func (s *reporting) writeReports(ctx context.Context, done []reportResult) error {
	var rows []neo4jstore.ReportWrite
	kept := map[string]string{}
	var end error
	for _, w := range done {
		bad, stop := s.breaker.record(w.err)
		end = errors.Join(end, stop)
		if bad {
			s.addFailure(w.Community, w.err)
			w.Failed = text.FirstLine(w.err.Error())
		}
		switch {
		case bad && w.keepsOld:
			kept[w.Community] = w.Failed
		case bad || w.err == nil:
			rows = append(rows, w.ReportWrite)
		}
	}
	if err := s.writer.WriteReports(ctx, s.generation, rows); err != nil {
		return fmt.Errorf("write reports: %w", err)
	}
	if err := s.writer.FailStage(ctx, graph.KindCommunity, "report", kept); err != nil {
		return fmt.Errorf("record failed reports: %w", err)
	}
	rewritten := 0
	for _, w := range done {
		if w.err == nil {
			s.addDone(1)
		}
		if errors.Is(w.err, llm.ErrBudget) {
			continue
		}
		changed := !w.Unchanged && !w.keepsOld
		if changed && !w.carried {
			rewritten++
		}
		s.order.done(w.Community, changed)
	}
	s.shared.change(func(r *Result) {
		r.Reports.Kept, r.Reports.Rewritten = r.Reports.Kept-rewritten, r.Reports.Rewritten+rewritten
	})
	return end
}

// embedReports embeds the reports and waits for all other vectors, so that everything in
// the next generation can be searched when it becomes visible.
func (s *reporting) embedReports(ctx context.Context) error {
	s.shared.reportVectors = s.shared.newStage("embed")
	if err := (&embedding{s.shared.reportVectors}).embedKind(ctx, graph.KindReport); err != nil {
		return err
	}
	return s.shared.awaitStage(ctx, "embed")
}

// A reportResult is the outcome of one report. If the model failed, the community keeps
// its old report (keepsOld) or gets one that is written without a model.
type reportResult struct {
	neo4jstore.ReportWrite
	err      error
	keepsOld bool
	carried  bool // with the text that it or a predecessor had before
}

// reportOne writes the report of one community, unless it keeps the one that it has.
func (s *reporting) reportOne(ctx context.Context, k neo4jstore.ReportContext) (reportResult, error) {
	in := report.Input{Community: k.Community, Entities: k.Entities, Relationships: k.Relationships, Claims: k.Claims, Sections: k.Sections}
	for _, c := range k.Children {
		in.Children = append(in.Children, report.Child{Report: c.Report, Label: c.Label, Members: c.Members})
	}
	author := s.reporterOf(k.Community)
	if len(in.Entities)+len(in.Children) == 0 {
		author = s.offlineReporter() // all members are absent from the text: a model would write about nothing
	}
	if _, isModel := author.(*report.Model); isModel {
		in.Outside, in.OutsideLeft = k.Outside, k.OutsideLeft
	}
	room := s.roomOf(ctx, author)
	out, err := s.reportInRoom(ctx, k, author, in, room)
	if learnt := s.roomOf(ctx, author); errors.Is(out.err, llm.ErrTooLong) && learnt != 0 && learnt != room {
		return s.reportInRoom(ctx, k, author, in, learnt)
	}
	return out, err
}

// reportInRoom writes the report of one community from records that the author can read.
func (s *reporting) reportInRoom(ctx context.Context, k neo4jstore.ReportContext, author reporter, in report.Input, room int) (reportResult, error) {
	options := s.Report
	options.Room = room
	packed := report.Pack(in, options, s.counter)
	out := reportResult{ReportWrite: neo4jstore.ReportWrite{Community: k.Community.Key, ReportFP: graph.Hash(author.Fingerprint(), packed.Fingerprint), ReadsFP: author.Reads(in, packed)}}
	if _, isModel := author.(*report.Model); isModel {
		out.ReportFP, out.ReadsFP = s.inEdition("report", out.ReportFP), s.inEdition("report", out.ReadsFP)
	}
	if kept, err := s.keepReport(ctx, k, author, packed, &out); kept || err != nil {
		return out, err
	}
	if s.Rewrite.Stale > 0 {
		out.Records = packed.Digests(author.Fingerprint())
	}
	err := s.writeReport(ctx, k, author, in, packed, &out.ReportWrite)
	if err == nil || s.Model == nil || ctx.Err() != nil {
		return out, err
	}
	out.err = err
	if errors.Is(err, llm.ErrBudget) {
		return out, nil
	}
	if k.ReportFP != "" && !k.Report.CitesEnded {
		out.keepsOld = true
		return out, nil
	}
	out.ReportFP = failedFP + out.ReportFP
	sections, err := s.store.SectionMentions(ctx, s.Corpus, k.Community.Members)
	if err != nil {
		return out, fmt.Errorf("read sections for the report of community %s: %w", k.Community.Label, err)
	}
	in.Outside, in.Sections = nil, sections
	packed = report.Pack(in, s.Report, s.counter)
	if err := s.writeReport(ctx, k, s.offlineReporter(), in, packed, &out.ReportWrite); err != nil {
		return out, errors.Join(out.err, err)
	}
	return out, nil
}

// writeReport has author write the report of one community and stores it in w. A vector that
// needs a model is made later.
func (s *reporting) writeReport(ctx context.Context, k neo4jstore.ReportContext, author reporter, in report.Input, packed report.Context, w *neo4jstore.ReportWrite) error {
	made, err := author.Report(ctx, in, packed)
	if err != nil {
		return fmt.Errorf("report of community %s: %w", k.Community.Label, err)
	}
	made.Community, made.Level, made.Final = k.Community.Key, k.Community.Level, k.Community.Final
	made.Size, made.Weight = len(k.Community.Members), k.Community.Weight
	made.NTokens = s.counter.Count(made.FullContent)
	s.shared.change(func(r *Result) {
		r.Reports.DroppedFindings += made.DroppedFindings
		r.Reports.DroppedReferences += made.DroppedReferences
	})
	w.Report, w.Terms = made, reportTerms(made)
	if !s.embedsLater() {
		w.Vector, w.EmbedFP = textproc.Vector(made.FullContent), s.embedFP(made.FullContent)
	}
	return nil
}

// reportTerms returns the index terms of a report. They exclude the explanation of the
// rating, which mentions entities and claims in every report, and the numbers of
// references.
func reportTerms(r graph.Report) string {
	texts := []string{r.Title, r.Summary}
	for _, f := range r.Findings {
		texts = append(texts, f.Summary, f.Explanation)
	}
	return indexTerms(report.Plain(strings.Join(texts, "\n")))
}

// flip makes the new generation visible. It returns an error if a community of it has
// no report yet.
func (s *reporting) flip(ctx context.Context) error {
	c, err := s.store.Corpus(ctx, s.Corpus)
	if err != nil {
		return err
	}
	if c.Next <= c.Generation {
		return nil
	}
	if !s.WithoutReports {
		missing, err := s.store.Unreported(ctx, s.Corpus, c.Next)
		if err != nil {
			return fmt.Errorf("count communities without a report: %w", err)
		}
		if missing > 0 {
			return fmt.Errorf("show generation %d: %d communities have no report; run the same command again", c.Next, missing)
		}
	}
	partition := c.Partition
	if s.shared.partition != nil {
		partition = *s.shared.partition
	}
	if err := s.writer.Flip(ctx, c.Next, partition); err != nil {
		return fmt.Errorf("show generation %d: %w", c.Next, err)
	}
	return nil
}
