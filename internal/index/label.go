package index

import (
	"context"
	"fmt"

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
	table := newLabelTable(all, r.options.Labels)
	stale, err := r.unlabelled(ctx, table)
	if err != nil {
		return err
	}
	s.addTotal(len(table.keys) + len(stale))
	write := func(rows []neo4jstore.EntityLabels) error {
		if err := s.writer.WriteLabels(ctx, rows); err != nil {
			return fmt.Errorf("write labels: %w", err)
		}
		s.addDone(len(rows))
		return nil
	}
	for start := 0; start < len(table.keys); start += labelPage {
		if err := write(table.rows(start, min(start+labelPage, len(table.keys)))); err != nil {
			return err
		}
	}
	for _, keys := range batches(stale, labelPage) {
		rows := make([]neo4jstore.EntityLabels, len(keys))
		for i, key := range keys {
			rows[i] = neo4jstore.EntityLabels{Key: key, Labels: []string{}}
		}
		if err := write(rows); err != nil {
			return err
		}
	}
	return s.writer.RecordLabelled(ctx, generation)
}

// unlabelled returns the keys of the entities that have labels but are no longer in a
// community.
func (r *run) unlabelled(ctx context.Context, table *labelTable) ([]string, error) {
	var stale []string
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
			if _, clustered := table.index[e.Key]; !clustered {
				stale = append(stale, e.Key)
			}
		}
	}
}
