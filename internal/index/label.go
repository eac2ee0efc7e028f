package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// labelPage is the number of labelled entities that are read at a time.
const labelPage = 5_000

// label gives entities the labels of their communities, so that Neo4j Browser colours
// by community. Then it sweeps: it deletes what the last flip ended.
func (r *run) label(ctx context.Context, s *stage) error {
	c, err := r.store.Corpus(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	settings := r.settings()["label"]
	if c.Labelled != c.Generation || c.Settings["label"] != settings {
		if err := r.labelGeneration(ctx, s, c.Generation); err != nil {
			return err
		}
		if err := s.writer.SetSettings(ctx, map[string]string{"label": settings}, neo4jstore.CorpusSet{}); err != nil {
			return err
		}
	}
	if c.Swept != c.Generation {
		if err := s.writer.Sweep(ctx, c.Generation); err != nil {
			return fmt.Errorf("sweep generation %d: %w", c.Generation, err)
		}
	}
	return nil
}

// labelGeneration writes the labels of all communities of a generation.
func (r *run) labelGeneration(ctx context.Context, s *stage, generation int64) error {
	all, err := r.store.Communities(ctx, r.options.Corpus, generation, true)
	if err != nil {
		return fmt.Errorf("read communities: %w", err)
	}
	rows := labelRows(all, r.options.Labels)
	stale, err := r.unlabelled(ctx, rows)
	if err != nil {
		return err
	}
	rows = append(rows, stale...)
	s.addTotal(len(rows))
	for _, batch := range batches(rows, labelPage) {
		if err := s.writer.WriteLabels(ctx, batch); err != nil {
			return fmt.Errorf("write labels: %w", err)
		}
		s.addDone(len(batch))
	}
	return s.writer.RecordLabelled(ctx, generation)
}

// labelRows returns the communities and labels of each clustered entity, sorted by key.
// all is sorted by level and ordinal, so that a limit keeps root levels and large
// communities.
func labelRows(all []graph.Community, o Labels) []neo4jstore.EntityLabels {
	rows := map[string]*neo4jstore.EntityLabels{}
	used := 0
	for _, c := range all {
		show := used < o.Max && o.Levels >= 0 && (o.Levels == 0 || c.Level < o.Levels)
		if show {
			used++
		}
		for _, m := range c.Members {
			row := rows[m]
			if row == nil {
				row = &neo4jstore.EntityLabels{Key: m, Labels: []string{}}
				rows[m] = row
			}
			row.Communities = append(row.Communities, int64(c.Ordinal))
			if c.Level == 0 {
				row.Community = c.Label
			}
			if show {
				row.Labels = append(row.Labels, c.Label)
			}
		}
	}
	out := make([]neo4jstore.EntityLabels, 0, len(rows))
	for _, key := range sortedKeys(rows) {
		out = append(out, *rows[key])
	}
	return out
}

// unlabelled returns rows without labels for the entities that have labels but are no
// longer in a community.
func (r *run) unlabelled(ctx context.Context, rows []neo4jstore.EntityLabels) ([]neo4jstore.EntityLabels, error) {
	var stale []neo4jstore.EntityLabels
	after := graph.Key(r.options.Corpus, "")
	for {
		page, err := r.store.LabelledEntities(ctx, r.options.Corpus, after, labelPage)
		if err != nil {
			return nil, fmt.Errorf("read labelled entities: %w", err)
		}
		if len(page) == 0 {
			return stale, nil
		}
		after = page[len(page)-1].Key
		for _, e := range page {
			_, clustered := slices.BinarySearchFunc(rows, e.Key, func(row neo4jstore.EntityLabels, key string) int {
				return strings.Compare(row.Key, key)
			})
			if !clustered {
				stale = append(stale, neo4jstore.EntityLabels{Key: e.Key, Labels: []string{}})
			}
		}
	}
}
