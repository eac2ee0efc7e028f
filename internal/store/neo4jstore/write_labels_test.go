package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestLabels(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "Ann Bob. Cid")
	ann, bob := graph.EntityKey(corpus, "ann"), graph.EntityKey(corpus, "bob")
	write := func(rows ...neo4jstore.EntityLabels) (changed int64) {
		t.Helper()
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			err := writer.WriteLabels(ctx, rows)
			changed = writer.Counters().Total()
			return err
		})
		return changed
	}
	labels := func() []any {
		return query(t, `MATCH (e:Entity {key: $key}) UNWIND labels(e) AS l WITH l ORDER BY l WHERE l STARTS WITH 'C' RETURN collect(l) AS labels`, map[string]any{"key": ann})[0]["labels"].([]any)
	}
	a := neo4jstore.EntityLabels{Key: ann, Labels: []string{"C0_0", "C1_4"}, Communities: []int64{0, 4, 7}, Community: "C0_0"}
	b := neo4jstore.EntityLabels{Key: bob, Communities: []int64{3}, Community: "C0_3"}
	write(a, b)
	if changed := write(b, a); changed != 0 {
		t.Errorf("the same labels changed %d values", changed)
	}
	if diff := cmp.Diff([]any{"C0_0", "C1_4"}, labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	a.Labels, a.Communities = []string{"C0_0", "C1_5"}, []int64{0, 5}
	write(a)
	if diff := cmp.Diff([]any{"C0_0", "C1_5"}, labels()); diff != "" {
		t.Errorf("other labels (-want +got):\n%s", diff)
	}
	got, err := s.LabelledEntities(t.Context(), corpus, "", 10)
	if diff := cmp.Diff([]neo4jstore.EntityLabels{a, b}, got); err != nil || diff != "" {
		t.Errorf("labelled: %v (-want +got):\n%s", err, diff)
	}
	if got, err = s.LabelledEntities(t.Context(), corpus, ann, 1); err != nil || len(got) != 1 || got[0].Key != bob {
		t.Errorf("labelled after Ann: %v, %v", got, err)
	}
	write(neo4jstore.EntityLabels{Key: ann}, neo4jstore.EntityLabels{Key: bob})
	if got, err = s.LabelledEntities(t.Context(), corpus, "", 10); err != nil || len(got) != 0 || len(labels()) != 0 {
		t.Errorf("labelled after all labels were removed: %v, %v; labels %v", got, err, labels())
	}
}
