package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
)

// A GraphMark is what a node of any graph carries of its communities, as the
// properties <prefix>_community, <prefix>_communities and <prefix>_labels, the
// labels and the label that is the name of the lane's corpus.
type GraphMark struct {
	ID          string // element id
	Community   string // label at level 0
	Communities []int64
	Labels      []string
}

// markProperties are the names of properties under a prefix.
func markProperties(prefix string) map[string]any {
	return map[string]any{"root_name": prefix + "_community", "path_name": prefix + "_communities", "labels_name": prefix + "_labels"}
}

// GraphMarks hands over what nodes carry under a prefix. Corpus is the name of
// the lane that wrote it.
func (s *Store) GraphMarks(ctx context.Context, corpus, prefix string, each func(GraphMark)) error {
	err := s.read(ctx, cypher.ReadGraphMarks, corpus, markProperties(prefix), func(r *neo4j.Record) error {
		id, _ := r.Values[0].(string)
		root, _ := r.Values[1].(string)
		m := GraphMark{ID: id, Community: root, Labels: values{"labels": r.Values[3]}.texts("labels")}
		list, _ := r.Values[2].([]any)
		for _, item := range list {
			n, _ := item.(int64)
			m.Communities = append(m.Communities, n)
		}
		each(m)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read what carries prefix %s: %w", prefix, err)
	}
	return nil
}

// WriteGraphMarks writes communities to nodes of any graph. It refuses with
// ErrMissingEnd when a node went away, or has properties under the prefix that
// this program did not write.
func (l *Writer) WriteGraphMarks(ctx context.Context, prefix string, rows []GraphMark) error {
	err := batches(rows, writeRows, eachOne, func(part []GraphMark) error {
		sent := make([]any, len(part))
		for i, m := range part {
			communities := m.Communities
			if communities == nil {
				communities = []int64{}
			}
			sent[i] = map[string]any{"id": m.ID, "community": m.Community, "communities": communities, "labels": texts(m.Labels)}
		}
		return l.marks(ctx, cypher.WriteGraphMarks, prefix, sent)
	})
	if errors.Is(err, ErrMissingEnd) {
		return fmt.Errorf("%w: nodes went away, or have properties %s_... that are of somebody else: choose another prefix", err, prefix)
	}
	return err
}

// RemoveGraphMarks takes everything under a prefix away from nodes.
func (l *Writer) RemoveGraphMarks(ctx context.Context, prefix string, ids []string) error {
	return batches(ids, writeRows, eachOne, func(part []string) error {
		sent := make([]any, len(part))
		for i, id := range part {
			sent[i] = map[string]any{"id": id}
		}
		return l.marks(ctx, cypher.WriteGraphMarksGone, prefix, sent)
	})
}

func (l *Writer) marks(ctx context.Context, st cypher.Statement, prefix string, sent []any) error {
	params := markProperties(prefix)
	params["rows"] = slices.Clip(sent)
	return l.write(ctx, "graph marks", func(tx *transaction) error {
		return tx.exactly(ctx, st, l.corpus, params, len(sent))
	})
}
