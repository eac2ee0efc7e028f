package neo4jstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Communities that swap their labels are too many for the transaction of the flip, and the
// flip is interrupted after it renamed two of three.
func TestFlipInPages(t *testing.T) {
	t.Parallel()
	interrupt := errors.New("interrupted")
	for _, tt := range []struct {
		name     string
		complete func(context.Context, *neo4jstore.Writer, neo4jstore.Entities, []graph.Community) error
	}{
		{"sweep", func(ctx context.Context, w *neo4jstore.Writer, _ neo4jstore.Entities, _ []graph.Community) error {
			return w.Sweep(ctx, 2)
		}},
		{"flip again", func(ctx context.Context, w *neo4jstore.Writer, _ neo4jstore.Entities, _ []graph.Community) error {
			return w.Flip(ctx, 2, neo4jstore.Partition{Topology: 2})
		}},
		{"next generation", func(ctx context.Context, w *neo4jstore.Writer, e neo4jstore.Entities, all []graph.Community) error {
			_, err := w.OpenGeneration(ctx, e, all)
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var fault func(string) error
			s := open(t, func(c *neo4jstore.Config) {
				c.Fault = func(point string) error {
					if fault != nil {
						return fault(point)
					}
					return nil
				}
			}).WithPages(1)
			_, corpus := described(t, "a b. c d. e f")
			hierarchy := func(ordinals ...int) (all []graph.Community) {
				for i, names := range [][]string{{"a", "b"}, {"c", "d"}, {"e", "f"}} {
					keys := []string{graph.EntityKey(corpus, names[0]), graph.EntityKey(corpus, names[1])}
					all = append(all, graph.Community{
						Key: graph.CommunityKey(corpus, 0, keys), Ordinal: ordinals[i], Members: keys,
						Label: graph.CommunityLabel("C", 0, ordinals[i]), Weight: 2, Final: true,
					})
				}
				return all
			}
			labels := func() (renamed int, labels []string) {
				t.Helper()
				for _, row := range query(t, "MATCH (k:Community {corpus: $c}) RETURN k.label AS label, k.next_label IS NULL AS renamed ORDER BY k.key", map[string]any{"c": corpus}) {
					if row["renamed"] == true {
						renamed++
					}
					labels = append(labels, row["label"].(string))
				}
				return renamed, labels
			}
			step := func(wanted error, do func(context.Context, *neo4jstore.Writer) error) {
				t.Helper()
				withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
					if err := do(ctx, w); !errors.Is(err, wanted) {
						t.Errorf("error %v, want %v", err, wanted)
					}
					return nil
				})
			}
			for next, all := range [][]graph.Community{hierarchy(0, 1, 2), hierarchy(2, 0, 1)} {
				pages := 0
				fault = func(point string) error {
					if point == "communities renamed after the flip" {
						if pages++; pages == 2 {
							return interrupt
						}
					}
					return nil
				}
				step([]error{nil, interrupt}[next], func(ctx context.Context, w *neo4jstore.Writer) error {
					if _, err := w.OpenGeneration(ctx, entities(t, s, corpus), all); err != nil {
						return err
					}
					return w.Flip(ctx, int64(next+1), neo4jstore.Partition{Topology: int64(next + 1)})
				})
			}
			fault = nil
			c, err := s.Corpus(t.Context(), corpus)
			if renamed, _ := labels(); err != nil || renamed != 2 || !c.Renaming || c.Generation != 2 {
				t.Fatalf("%d communities renamed, corpus %+v, %v: want two renamed in the visible generation 2", renamed, c, err)
			}
			step(nil, func(ctx context.Context, w *neo4jstore.Writer) error {
				return tt.complete(ctx, w, entities(t, s, corpus), hierarchy(2, 0, 1))
			})
			renamed, got := labels()
			want := []string{"C0_0", "C0_1", "C0_2"}
			if slices.Sort(got); renamed != 3 || !cmp.Equal(want, got) {
				t.Errorf("%d communities renamed, labels %v, want 3 and %v", renamed, got, want)
			}
			if c, err := s.Corpus(t.Context(), corpus); err != nil || c.Renaming {
				t.Errorf("the corpus is still being renamed: %+v, %v", c, err)
			}
		})
	}
}
