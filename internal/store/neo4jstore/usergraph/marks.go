package usergraph

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Mark is what a node carries of its communities: the properties
// <prefix>_community, <prefix>_communities and <prefix>_labels, the labels, and one
// more label, which is the name of the writer's corpus.
type Mark struct {
	ID          string // element id
	Community   string // label at level 0
	Communities []int64
	Labels      []string
}

// markProperties are the names of the properties under a prefix, as parameters.
func markProperties(prefix string) map[string]any {
	return map[string]any{"root_name": prefix + "_community", "path_name": prefix + "_communities", "labels_name": prefix + "_labels"}
}

// Marks calls each for every node that carries something under a prefix. corpus is
// the name of the corpus whose writer wrote it.
func Marks(ctx context.Context, store *neo4jstore.Store, corpus, prefix string, each func(Mark)) error {
	err := store.ReadRows(ctx, cypher.ReadGraphMarks, corpus, markProperties(prefix), func(r *neo4j.Record) error {
		each(markOf(r))
		return nil
	})
	if err != nil {
		return fmt.Errorf("read what carries prefix %s: %w", prefix, err)
	}
	return nil
}

func markOf(r *neo4j.Record) Mark {
	m := Mark{Labels: texts(r.Values[3])}
	m.ID, _ = r.Values[0].(string)
	m.Community, _ = r.Values[1].(string)
	list, _ := r.Values[2].([]any)
	for _, item := range list {
		n, _ := item.(int64)
		m.Communities = append(m.Communities, n)
	}
	return m
}

// WriteMarks writes marks to nodes. It fails with neo4jstore.ErrMissingEnd when a
// node went away, or has properties under the prefix that this program did not write.
func WriteMarks(ctx context.Context, w *neo4jstore.Writer, prefix string, marks []Mark) error {
	rows := make([]any, len(marks))
	for i, m := range marks {
		rows[i] = map[string]any{
			"id": m.ID, "community": m.Community, "communities": append([]int64{}, m.Communities...), "labels": append([]string{}, m.Labels...),
		}
	}
	err := w.WriteRows(ctx, "graph marks", cypher.WriteGraphMarks, markProperties(prefix), rows)
	if errors.Is(err, neo4jstore.ErrMissingEnd) {
		return fmt.Errorf("%w: nodes went away, or have properties %s_... that something else wrote: choose another prefix", err, prefix)
	}
	return err
}

// RemoveMarks removes everything under a prefix from nodes.
func RemoveMarks(ctx context.Context, w *neo4jstore.Writer, prefix string, ids []string) error {
	rows := make([]any, len(ids))
	for i, id := range ids {
		rows[i] = map[string]any{"id": id}
	}
	return w.WriteRows(ctx, "graph marks", cypher.WriteGraphMarksGone, markProperties(prefix), rows)
}
