package index

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// describeBatch is how many descriptions are written together at most. Without a model they
// are ready faster than they are written.
const describeBatch = 2048

// A describable is an entity or relationship whose description may be out of date.
type describable struct {
	key, fp   string
	title     string   // counted in n_tokens together with the description
	kind      string   // type of an entity, keywords of a relationship; full text finds it
	aliases   []string // of an entity; full text finds them
	fragments []string
}

// A description is the stage describe.
type description struct {
	*stage

	breaker circuitBreaker
}

// run merges the descriptions of the mentions into one. It always starts from the
// mentions, never from an older summary.
func (s *description) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	s.breaker.limit = 2 * s.Concurrency
	g, gctx := errgroup.WithContext(ctx)
	for _, k := range []struct {
		kind graph.Kind
		page pageReader[describable]
	}{{graph.KindEntity, s.entityPage}, {graph.KindRelationship, s.relationshipPage}} {
		g.Go(func() error { return s.describeKind(gctx, k.kind, k.page) })
	}
	return g.Wait()
}

// describeKind describes the marked nodes of a kind concurrently, and writes
// descriptions while others are made.
func (s *description) describeKind(ctx context.Context, kind graph.Kind, page pageReader[describable]) error {
	items := inPages(s.Corpus, page, mentionPage, func(d describable) string { return d.key })
	return parallelMapBatches(ctx, s.Concurrency, describeBatch, items, s.describeOne, func(done []described) error {
		rows := make([]neo4jstore.Described, 0, len(done))
		failed := map[string]string{}
		var end error
		for _, d := range done {
			bad, stop := s.breaker.record(d.err)
			end = errors.Join(end, stop)
			switch {
			case bad:
				failed[d.Key] = text.FirstLine(d.err.Error())
				s.addFailure(d.Key, d.err)
			case d.err == nil:
				rows = append(rows, d.Described)
			}
		}
		if err := s.writer.WriteDescriptions(ctx, kind, rows, neo4jstore.DescribeOptions{WithoutVectors: !s.embeds(kind), NoCommunities: s.shared.noCommunities, Outside: s.showsOutside()}); err != nil {
			return fmt.Errorf("write descriptions: %w", err)
		}
		s.addDone(len(rows))
		if err := s.writer.FailStage(ctx, kind, "describe", failed); err != nil {
			return fmt.Errorf("record failed descriptions: %w", err)
		}
		return end
	})
}

// described is a new description, or the error of making it.
type described struct {
	neo4jstore.Described
	err error
}

// describeOne describes one node, unless the fingerprint shows that nothing changed. A
// failure is part of the result; the error is only the error of the context.
func (s *description) describeOne(ctx context.Context, d describable) (described, error) {
	fp := graph.Hash(append([]string{s.settings["describe"], d.title, d.kind}, d.fragments...)...)
	if len(d.aliases) > 0 {
		fp = graph.Hash(append([]string{fp, "aliases"}, d.aliases...)...)
	}
	out := described{Described: neo4jstore.Described{Key: d.key, DescribeFP: fp}}
	if fp == d.fp {
		out.Unchanged = true
		return out, nil
	}
	description, err := s.describer().Describe(ctx, d.title, d.fragments)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if err != nil {
		out.err = fmt.Errorf("describe %s: %w", d.title, err)
		return out, nil
	}
	out.Description, out.Terms, out.NTokens = description, indexTerms(append([]string{d.title, d.kind, description}, d.aliases...)...), s.counter.Count(d.title+": "+description)
	return out, nil
}

func (s *description) entityPage(ctx context.Context, corpus, after string, n int) ([]describable, error) {
	page, err := s.store.PendingDescribeEntities(ctx, corpus, after, n)
	if err != nil {
		return nil, fmt.Errorf("read pending descriptions: %w", err)
	}
	out := make([]describable, len(page))
	for i, p := range page {
		out[i] = describable{key: p.Key, fp: p.DescribeFP, title: p.Name, kind: p.Type, aliases: p.Aliases, fragments: resolve.Fragments(p.Mentions, s.Resolve)}
	}
	return out, nil
}

func (s *description) relationshipPage(ctx context.Context, corpus, after string, n int) ([]describable, error) {
	page, err := s.store.PendingDescribeRelationships(ctx, corpus, after, n)
	if err != nil {
		return nil, fmt.Errorf("read pending descriptions: %w", err)
	}
	out := make([]describable, len(page))
	for i, p := range page {
		out[i] = describable{
			key: p.Key, fp: p.DescribeFP, title: p.SourceName + " — " + p.TargetName, kind: fmt.Sprint(p.Keywords),
			fragments: resolve.Fragments(p.Mentions, s.Resolve),
		}
	}
	return out, nil
}
