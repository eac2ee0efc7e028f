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
	if err := r.updateLabels(ctx, s, c); err != nil {
		return err
	}
	if c.Swept != c.Generation {
		if err := s.writer.Sweep(ctx, c.Generation); err != nil {
			return fmt.Errorf("sweep generation %d: %w", c.Generation, err)
		}
	}
	return nil
}

// updateLabels makes the labels those of the visible generation. They are already if only
// its reports are new.
func (r *run) updateLabels(ctx context.Context, s *stage, c neo4jstore.Corpus) error {
	settings := r.settings()["label"]
	switch same := c.Settings["label"] == settings; {
	case same && c.Labelled == c.Generation:
		return nil
	case same && 0 < c.Regrouped && c.Regrouped <= c.Labelled:
		return s.writer.RecordLabelled(ctx, c.Generation)
	}
	if err := r.labelGeneration(ctx, s, c.Generation); err != nil {
		return err
	}
	return s.writer.SetSettings(ctx, map[string]string{"label": settings}, neo4jstore.CorpusSet{})
}

// labelGeneration writes the labels of the communities of a generation to the entities
// whose labels differ.
func (r *run) labelGeneration(ctx context.Context, s *stage, generation int64) error {
	all, err := r.store.Communities(ctx, r.options.Corpus, generation, true)
	if err != nil {
		return fmt.Errorf("read communities: %w", err)
	}
	table := newLabelTable(all, r.options.Labels)
	same, stale, err := r.compareLabels(ctx, table)
	if err != nil {
		return err
	}
	s.addTotal(len(stale) + count(same, false))
	var rows []neo4jstore.EntityLabels
	write := func(least int) error {
		if len(rows) < least {
			return nil
		}
		if err := s.writer.WriteLabels(ctx, rows); err != nil {
			return fmt.Errorf("write labels: %w", err)
		}
		s.addDone(len(rows))
		rows = rows[:0]
		return nil
	}
	for i := range table.keys {
		if same[i] {
			continue
		}
		rows = append(rows, table.row(i))
		if err := write(labelPage); err != nil {
			return err
		}
	}
	for _, key := range stale {
		rows = append(rows, neo4jstore.EntityLabels{Key: key, Labels: []string{}})
		if err := write(labelPage); err != nil {
			return err
		}
	}
	if err := write(1); err != nil {
		return err
	}
	return s.writer.RecordLabelled(ctx, generation)
}

// count returns how many elements of a list are equal to a value.
func count[T comparable](list []T, value T) (n int) {
	for _, x := range list {
		if x == value {
			n++
		}
	}
	return n
}

// compareLabels returns which entities of the table have its labels, and the keys of the
// entities that have labels but are no longer in a community.
func (r *run) compareLabels(ctx context.Context, table *labelTable) (same []bool, stale []string, err error) {
	same = make([]bool, len(table.keys))
	after := graph.Key(r.options.Corpus, "")
	for {
		page, err := r.store.LabelledEntities(ctx, r.options.Corpus, after, labelPage)
		if err != nil {
			return nil, nil, fmt.Errorf("read labelled entities: %w", err)
		}
		if len(page) == 0 {
			return same, stale, nil
		}
		after = page[len(page)-1].Key
		for _, e := range page {
			i, clustered := table.index[e.Key]
			if !clustered {
				stale = append(stale, e.Key)
			} else {
				same[i] = table.row(i).Equal(e)
			}
		}
	}
}
