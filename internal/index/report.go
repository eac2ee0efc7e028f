package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/report"
)

// reportPage is how many communities are read with their contexts at a time.
const reportPage = 64

// report writes the reports of marked communities, deepest level first, so
// that a parent's context holds its children's new reports; then it makes the
// new generation visible.
func (r *run) report(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	next := c.Generation + 1
	if !r.options.WithoutReports {
		if err := r.reports(ctx, s, next); err != nil {
			return err
		}
	}
	return r.flip(ctx)
}

func (r *run) reports(ctx context.Context, s *stage, next int64) error {
	if n, err := s.pending(ctx); err != nil || n == 0 {
		return err
	}
	all, err := r.store.Communities(ctx, r.options.Corpus, next, false)
	if err != nil {
		return fmt.Errorf("read communities: %w", err)
	}
	r.byModel = r.written(all)
	deepest := -1
	for _, k := range all {
		deepest = max(deepest, k.Level)
	}
	for level := deepest; level >= 0; level-- {
		if err := r.reportLevel(ctx, s, next, level); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) reportLevel(ctx context.Context, s *stage, next int64, level int) error {
	after := graph.Key(r.options.Corpus, "")
	left := patience{limit: 2 * r.options.Concurrency}
	size := max(reportPage, 8*r.options.Concurrency)
	for {
		page, err := r.store.PendingReports(ctx, r.options.Corpus, next, level, after, size)
		if err != nil {
			return fmt.Errorf("read pending reports: %w", err)
		}
		if len(page) == 0 {
			return nil
		}
		after = page[len(page)-1].Key
		contexts, err := r.store.ReportContexts(ctx, r.options.Corpus, next, page)
		if err != nil {
			return fmt.Errorf("read report contexts: %w", err)
		}
		var rows []neo4jstore.ReportWrite
		kept := map[string]string{}
		err = each(ctx, r.options.Concurrency, contexts, r.reportOne, func(w reported) error {
			if w.err == nil {
				left.done()
				rows = append(rows, w.ReportWrite)
				s.did(1)
				return nil
			}
			s.fail(w.Community, w.err)
			if w.keeps {
				kept[w.Community] = firstLine(w.err.Error())
			} else {
				w.Failed = firstLine(w.err.Error())
				rows = append(rows, w.ReportWrite)
			}
			return left.fail(w.err)
		})
		if err != nil {
			return err
		}
		if err := r.lane.WriteReports(ctx, next, rows); err != nil {
			return fmt.Errorf("write reports: %w", err)
		}
		if err := r.lane.FailStage(ctx, graph.KindCommunity, "report", kept); err != nil {
			return fmt.Errorf("note failed reports: %w", err)
		}
	}
}

// reported is what became of one report. Where the model failed, the community
// keeps the report it has, or gets one that is made without a model.
type reported struct {
	neo4jstore.ReportWrite
	err   error
	keeps bool
}

func (r *run) reportOne(ctx context.Context, k neo4jstore.ReportContext) (reported, error) {
	in := report.Input{Community: k.Community, Entities: k.Entities, Relationships: k.Relationships, Claims: k.Claims}
	for _, c := range k.Children {
		in.Children = append(in.Children, report.Child{Report: c.Report, Members: c.Members})
	}
	packed := report.Pack(in, r.options.Report, r.counter)
	writer := r.reporter()
	if r.byModel != nil && !r.byModel[k.Community.Key] {
		writer = r.offlineReporter()
	}
	fp := graph.Hash(writer.Fingerprint(), r.options.Embedder.Fingerprint(), packed.Fingerprint)
	out := reported{ReportWrite: neo4jstore.ReportWrite{Community: k.Community.Key, ReportFP: fp}}
	if fp == k.ReportFP {
		out.Unchanged = true
		return out, nil
	}
	err := r.compose(ctx, k, writer, in, packed, &out.ReportWrite)
	if err == nil || r.options.Model == nil || ctx.Err() != nil {
		return out, err
	}
	out.err = err
	if k.ReportFP != "" {
		out.keeps = true
		return out, nil
	}
	out.ReportFP = "failed " + fp
	if err := r.compose(ctx, k, r.offlineReporter(), in, packed, &out.ReportWrite); err != nil {
		return out, errors.Join(out.err, err)
	}
	return out, nil
}

// compose writes and embeds the report of one community.
func (r *run) compose(ctx context.Context, k neo4jstore.ReportContext, writer reporter, in report.Input, packed report.Context, w *neo4jstore.ReportWrite) error {
	made, err := writer.Report(ctx, in, packed)
	if err != nil {
		return fmt.Errorf("report of community %s: %w", k.Community.Label, err)
	}
	made.Community, made.Level, made.Final = k.Community.Key, k.Community.Level, k.Community.Final
	made.Size, made.Weight = len(k.Community.Members), k.Community.Weight
	made.NTokens = r.counter.Count(made.FullContent)
	vectors, err := r.options.Embedder.Embed(ctx, []string{made.FullContent})
	if err != nil {
		return fmt.Errorf("embed the report of community %s: %w", k.Community.Label, err)
	}
	w.Report, w.Terms = made, reportTerms(made)
	w.Vector, w.EmbedFP = vectors[0], r.embedFP(made.FullContent)
	return nil
}

// reportTerms are the terms by which a report is found: those of what it tells,
// without its rating, which speaks of entities and mentions in every report,
// and without the numbers of references.
func reportTerms(r graph.Report) string {
	told := []string{r.Title, r.Summary}
	for _, f := range r.Findings {
		told = append(told, f.Summary, f.Explanation)
	}
	return terms(report.Plain(strings.Join(told, "\n")))
}

// flip makes the generation that was written beside the visible one visible.
// It waits until every community has its report.
func (r *run) flip(ctx context.Context) error {
	c, err := r.store.Corpus(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	if c.Next <= c.Generation {
		return nil
	}
	if !r.options.WithoutReports {
		missing, err := r.store.Unreported(ctx, r.options.Corpus, c.Next)
		if err != nil {
			return fmt.Errorf("count communities without a report: %w", err)
		}
		if missing > 0 {
			return fmt.Errorf("show generation %d: %d communities have no report; run the same command again", c.Next, missing)
		}
	}
	topology := c.Clustered
	if r.topology > 0 {
		topology = r.topology
	}
	if err := r.lane.Flip(ctx, c.Next, topology); err != nil {
		return fmt.Errorf("show generation %d: %w", c.Next, err)
	}
	return nil
}
