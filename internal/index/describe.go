package index

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
)

func (x *Indexer) describer() describer {
	return resolve.Describer{Options: x.options.Resolve, Counter: x.counter}
}

// describable is an entity or relationship whose description may be out of date.
type describable struct {
	key, fp   string
	title     string // what n_tokens counts beside the description
	kind      string // type of an entity, keywords of a relationship: part of what full text finds
	fragments []string
}

// describe merges the descriptions of the mentions into one, always from the
// mentions' own words, never from an older summary.
func (r *run) describe(ctx context.Context, s *stage) error {
	marks, err := r.store.Pending(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	if marks["describe"] == 0 {
		return nil
	}
	s.expect(marks["describe"])
	if err := r.describePages(ctx, s, graph.KindEntity, r.entityPage); err != nil {
		return err
	}
	return r.describePages(ctx, s, graph.KindRelationship, r.relationshipPage)
}

func (r *run) describePages(ctx context.Context, s *stage, kind graph.Kind, page func(context.Context, string) ([]describable, error)) error {
	after := graph.Key(r.options.Corpus, "")
	for {
		items, err := page(ctx, after)
		if err != nil {
			return fmt.Errorf("read pending descriptions: %w", err)
		}
		if len(items) == 0 {
			return nil
		}
		after = items[len(items)-1].key
		rows := make([]neo4jstore.Described, 0, len(items))
		err = each(ctx, r.options.Concurrency, items, r.describeOne, func(d neo4jstore.Described) error {
			rows = append(rows, d)
			return nil
		})
		if err != nil {
			return err
		}
		if err := r.lane.WriteDescriptions(ctx, kind, rows); err != nil {
			return fmt.Errorf("write descriptions: %w", err)
		}
		s.did(len(rows))
	}
}

func (r *run) describeOne(ctx context.Context, d describable) (neo4jstore.Described, error) {
	fp := graph.Hash(append([]string{r.settings()["describe"], d.title, d.kind}, d.fragments...)...)
	if fp == d.fp {
		return neo4jstore.Described{Key: d.key, DescribeFP: fp, Unchanged: true}, nil
	}
	text, err := r.describer().Describe(ctx, d.title, d.fragments)
	if err != nil {
		return neo4jstore.Described{}, fmt.Errorf("describe %s: %w", d.title, err)
	}
	return neo4jstore.Described{
		Key: d.key, DescribeFP: fp, Description: text,
		Terms: terms(d.title, d.kind, text), NTokens: r.counter.Count(d.title + ": " + text),
	}, nil
}

func (r *run) entityPage(ctx context.Context, after string) ([]describable, error) {
	page, err := r.store.PendingDescribeEntities(ctx, r.options.Corpus, after, mentionPage)
	out := make([]describable, len(page))
	for i, p := range page {
		out[i] = describable{key: p.Key, fp: p.DescribeFP, title: p.Name, kind: p.Type, fragments: resolve.Fragments(p.Mentions, r.options.Resolve)}
	}
	return out, err
}

func (r *run) relationshipPage(ctx context.Context, after string) ([]describable, error) {
	page, err := r.store.PendingDescribeRelationships(ctx, r.options.Corpus, after, mentionPage)
	out := make([]describable, len(page))
	for i, p := range page {
		out[i] = describable{
			key: p.Key, fp: p.DescribeFP, title: p.SourceName + " — " + p.TargetName, kind: fmt.Sprint(p.Keywords),
			fragments: resolve.Fragments(p.Mentions, r.options.Resolve),
		}
	}
	return out, err
}
