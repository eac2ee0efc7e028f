package index

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// labelPage is the number of labelled entities that are read at a time.
const labelPage = 5_000

// A labelling is the stage label.
type labelling struct{ *stage }

// run gives entities the labels of their communities, so that Neo4j Browser colours
// by community. Then it sweeps: it deletes what the last flip ended.
func (s *labelling) run(ctx context.Context) error {
	c, err := s.store.Corpus(ctx, s.Corpus)
	if err != nil {
		return err
	}
	if err := s.updateLabels(ctx, c); err != nil {
		return err
	}
	if c.Swept != c.Generation {
		if err := s.writer.Sweep(ctx, c.Generation); err != nil {
			return fmt.Errorf("sweep generation %d: %w", c.Generation, err)
		}
	}
	return nil
}

// updateLabels gives entities the labels of the visible generation. They have them already if
// only its reports are new.
func (s *labelling) updateLabels(ctx context.Context, c neo4jstore.Corpus) error {
	settings := s.settings["label"]
	switch same := c.Settings["label"] == settings; {
	case same && c.Labelled == c.Generation:
		return nil
	case same && 0 < c.Regrouped && c.Regrouped <= c.Labelled:
		return s.writer.RecordLabelled(ctx, c.Generation)
	}
	diff, err := s.diffLabels(ctx, c, settings)
	if err != nil {
		return err
	}
	if err := s.writeLabels(ctx, &diff); err != nil {
		return err
	}
	if err := s.writer.RecordLabelled(ctx, c.Generation); err != nil {
		return err
	}
	return s.writer.SetSettings(ctx, map[string]string{"label": settings}, neo4jstore.CorpusSet{})
}

// diffLabels returns how the labels differ from the visible generation. If they are of the
// previous generation, and this run made the visible one, the communities of both say it; else
// the labels of all entities are read.
func (s *labelling) diffLabels(ctx context.Context, c neo4jstore.Corpus, settings string) (labelDiff, error) {
	g := s.shared.regrouped
	if g != nil && g.before != nil && g.generation == c.Generation && c.Labelled == c.Generation-1 && c.Settings["label"] == settings {
		return newLabelTable(g.now, s.Labels).since(g.before), nil
	}
	all, err := s.store.Communities(ctx, s.Corpus, c.Generation, true)
	if err != nil {
		return labelDiff{}, fmt.Errorf("read communities: %w", err)
	}
	table := newLabelTable(all, s.Labels)
	diff := labelDiff{labelTable: table, same: make([]bool, len(table.keys))}
	labelled := inPages(s.Corpus, s.store.LabelledEntities, labelPage, func(e neo4jstore.EntityLabels) string { return e.Key })
	for e, err := range labelled(ctx) {
		if err != nil {
			return diff, fmt.Errorf("read labelled entities: %w", err)
		}
		diff.compare(e.Key, func() neo4jstore.EntityLabels { return e })
	}
	return diff, nil
}

// writeLabels writes the labels that differ, a page at a time.
func (s *labelling) writeLabels(ctx context.Context, diff *labelDiff) error {
	s.addTotal(diff.size())
	rows := make([]neo4jstore.EntityLabels, 0, labelPage)
	write := func() error {
		if err := s.writer.WriteLabels(ctx, rows); err != nil {
			return fmt.Errorf("write labels: %w", err)
		}
		s.addDone(len(rows))
		rows = rows[:0]
		return nil
	}
	for row := range diff.rows() {
		if rows = append(rows, row); len(rows) < labelPage {
			continue
		}
		if err := write(); err != nil {
			return err
		}
	}
	return write()
}
