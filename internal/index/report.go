package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// reportPage is the number of communities that are read with their records at a time, and
// modelReportPage that where a model writes reports: what was read is reported before a parent that
// became ready meanwhile.
const (
	reportPage      = 64
	modelReportPage = 16
)

// report writes the reports of marked communities, those of children before that of
// their parent, whose context may contain them. Then it embeds the reports and makes
// the new generation visible.
func (r *run) report(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.Corpus)
	if err != nil {
		return err
	}
	next := c.Generation + 1
	if !r.WithoutReports {
		g := reportedGeneration{next: next, drift: r.Rewrite.Drift}
		if c.Forgetting {
			g.drift = 0
		}
		if err := r.reports(ctx, s, g); err != nil {
			return err
		}
	}
	if err := r.embedReports(ctx); err != nil {
		return err
	}
	if err := r.flip(ctx, s); err != nil || !c.Forgetting {
		return err
	}
	marks, err := r.store.Pending(ctx, r.Corpus)
	if err != nil || marks["report"] > 0 {
		return err
	}
	return s.writer.SetForgetting(ctx, false)
}

func (r *run) reports(ctx context.Context, s *stage, g reportedGeneration) error {
	marks, err := r.store.Pending(ctx, r.Corpus)
	if err != nil || marks["report"] == 0 {
		return err
	}
	all, err := r.communities(ctx, g.next)
	if err != nil {
		return err
	}
	if r.modelReports, err = r.communitiesForModel(ctx, g.next, all); err != nil {
		return err
	}
	if r.Model != nil && r.Language == "" && r.edition >= 2 {
		code, err := r.store.MainLanguage(ctx, r.Corpus)
		if err != nil {
			return err
		}
		r.usualLanguage = language.Language(code).Name()
	}
	marked, err := r.markedCommunities(ctx, g.next, all)
	if err != nil {
		return err
	}
	s.addTotal(len(marked))
	r.setReports(ReportCounts{Kept: len(all)})
	known := make(map[string]graph.Community, len(all))
	for _, k := range all {
		known[k.Key] = k
	}
	if g.predecessors, err = r.store.Predecessors(ctx, r.Corpus, g.next); err != nil {
		return fmt.Errorf("read predecessors: %w", err)
	}
	order := newReportOrder(all, marked)
	breaker := &circuitBreaker{limit: 2 * r.Concurrency}
	contexts := func(ctx context.Context) iter.Seq2[neo4jstore.ReportContext, error] {
		return r.reportContexts(ctx, g.next, known, order)
	}
	one := func(ctx context.Context, k neo4jstore.ReportContext) (reportResult, error) {
		return r.reportOne(ctx, g, k)
	}
	return parallelMap(ctx, r.Concurrency, contexts, one, func(done []reportResult) error {
		return r.writeReports(ctx, s, g.next, done, order, breaker)
	})
}

// markedCommunities returns the keys of all communities with a mark of this stage.
func (r *run) markedCommunities(ctx context.Context, next int64, all []graph.Community) ([]string, error) {
	var keys []string
	deepest := -1
	for _, k := range all {
		deepest = max(deepest, k.Level)
	}
	for level := range deepest + 1 {
		for after := graph.Key(r.Corpus, ""); ; after = keys[len(keys)-1] {
			page, err := r.store.PendingReports(ctx, r.Corpus, next, level, after, labelPage)
			if err != nil {
				return nil, fmt.Errorf("read pending reports: %w", err)
			}
			if len(page) == 0 {
				break
			}
			for _, k := range page {
				keys = append(keys, k.Key)
			}
		}
	}
	return keys, nil
}

// reportContexts iterates over the records of the communities that order hands out.
func (r *run) reportContexts(ctx context.Context, next int64, known map[string]graph.Community, order *reportOrder) iter.Seq2[neo4jstore.ReportContext, error] {
	return func(yield func(neo4jstore.ReportContext, error) bool) {
		reader := r.store.ReportReader(r.Corpus, next)
		if r.showsOutside() {
			reader = reader.WithOutside()
		}
		most := reportPage
		if r.Model != nil {
			most = modelReportPage
		}
		for {
			keys, more := order.take(most)
			if len(keys) == 0 {
				if !more {
					return
				}
				select {
				case <-order.changed:
					continue
				case <-ctx.Done():
					yield(neo4jstore.ReportContext{}, context.Cause(ctx))
					return
				}
			}
			page := make([]graph.Community, len(keys))
			for i, key := range keys {
				page[i] = known[key]
			}
			for c, err := range reader.Contexts(ctx, page) {
				if err != nil {
					err = fmt.Errorf("read report contexts: %w", err)
				}
				for i := range c.Children { // readers still see the labels of before
					c.Children[i].Label = known[c.Children[i].Report.Community].Label
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
func (r *run) writeReports(ctx context.Context, s *stage, next int64, done []reportResult, order *reportOrder, breaker *circuitBreaker) error {
	var rows []neo4jstore.ReportWrite
	kept := map[string]string{}
	var end error
	for _, w := range done {
		bad, stop := breaker.record(w.err)
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
	if err := s.writer.WriteReports(ctx, next, rows); err != nil {
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
		order.done(w.Community, changed)
	}
	r.addRewritten(rewritten)
	return end
}

// embedReports embeds the reports and waits for all other vectors, so that everything in
// the next generation can be searched when it becomes visible.
func (r *run) embedReports(ctx context.Context) error {
	r.reportVectors = r.newStage("embed")
	if err := r.embedKind(ctx, r.reportVectors, graph.KindReport); err != nil {
		return err
	}
	return r.awaitStage(ctx, "embed")
}

func (r *run) setReports(counts ReportCounts) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Reports.Kept, r.result.Reports.Rewritten = counts.Kept, counts.Rewritten
}

// addRewritten counts reports that were written instead of kept.
func (r *run) addRewritten(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Reports.Kept -= n
	r.result.Reports.Rewritten += n
}

// addDropped counts what was left out of a report.
func (r *run) addDropped(made graph.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Reports.DroppedFindings += made.DroppedFindings
	r.result.Reports.DroppedReferences += made.DroppedReferences
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
func (r *run) reportOne(ctx context.Context, g reportedGeneration, k neo4jstore.ReportContext) (reportResult, error) {
	in := report.Input{Community: k.Community, Entities: k.Entities, Relationships: k.Relationships, Claims: k.Claims}
	for _, c := range k.Children {
		in.Children = append(in.Children, report.Child{Report: c.Report, Label: c.Label, Members: c.Members})
	}
	author := r.reporterOf(k.Community)
	if len(in.Entities)+len(in.Children) == 0 {
		author = r.offlineReporter() // all members are absent from the text: a model would write about nothing
	}
	if _, isModel := author.(*report.Model); isModel {
		in.Outside = k.Outside
	}
	packed := report.Pack(in, r.Report, r.counter)
	out := reportResult{ReportWrite: neo4jstore.ReportWrite{Community: k.Community.Key, ReportFP: graph.Hash(author.Fingerprint(), packed.Fingerprint), ReadsFP: author.Reads(in, packed)}}
	if _, isModel := author.(*report.Model); isModel {
		out.ReportFP, out.ReadsFP = r.inEdition("report", out.ReportFP), r.inEdition("report", out.ReadsFP)
	}
	if kept, err := r.keepReport(ctx, g, k, author, packed, &out); kept || err != nil {
		return out, err
	}
	if r.Rewrite.Drift > 0 {
		out.Records = packed.Digests(author.Fingerprint())
	}
	err := r.writeReport(ctx, k, author, in, packed, &out.ReportWrite)
	if err == nil || r.Model == nil || ctx.Err() != nil {
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
	in.Outside = nil
	packed = report.Pack(in, r.Report, r.counter)
	if err := r.writeReport(ctx, k, r.offlineReporter(), in, packed, &out.ReportWrite); err != nil {
		return out, errors.Join(out.err, err)
	}
	return out, nil
}

// writeReport has author write the report of one community and stores it in w. A vector that
// needs a model is made later.
func (r *run) writeReport(ctx context.Context, k neo4jstore.ReportContext, author reporter, in report.Input, packed report.Context, w *neo4jstore.ReportWrite) error {
	made, err := author.Report(ctx, in, packed)
	if err != nil {
		return fmt.Errorf("report of community %s: %w", k.Community.Label, err)
	}
	made.Community, made.Level, made.Final = k.Community.Key, k.Community.Level, k.Community.Final
	made.Size, made.Weight = len(k.Community.Members), k.Community.Weight
	made.NTokens = r.counter.Count(made.FullContent)
	r.addDropped(made)
	w.Report, w.Terms = made, reportTerms(made)
	if !r.embedsLater() {
		w.Vector, w.EmbedFP = textproc.Vector(made.FullContent), r.embedFP(made.FullContent)
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
func (r *run) flip(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.Corpus)
	if err != nil {
		return err
	}
	if c.Next <= c.Generation {
		return nil
	}
	if !r.WithoutReports {
		missing, err := r.store.Unreported(ctx, r.Corpus, c.Next)
		if err != nil {
			return fmt.Errorf("count communities without a report: %w", err)
		}
		if missing > 0 {
			return fmt.Errorf("show generation %d: %d communities have no report; run the same command again", c.Next, missing)
		}
	}
	partition := c.Partition
	if r.partition != nil {
		partition = *r.partition
	}
	if err := s.writer.Flip(ctx, c.Next, partition); err != nil {
		return fmt.Errorf("show generation %d: %w", c.Next, err)
	}
	return nil
}
