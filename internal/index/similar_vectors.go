package index

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/parallel"
)

// near returns, by their index, what is near to the fresh groups: of each other, found by comparing
// their vectors, and of the other groups, found in the vector index of the entities. The vectors
// of the fresh ones are not stored, because their entities are not derived yet.
func (f *nameFolder) near(ctx context.Context, groups []resolve.Group, fresh []int) (map[int][]resolve.Near, error) {
	var items []neo4jstore.EmbedItem
	at := map[string]int{}
	for _, i := range fresh {
		d := f.described(groups[i])
		at[groups[i].Name] = i
		items = append(items, neo4jstore.EmbedItem{Key: groups[i].Name, Text: d.Name + ": " + d.Description})
	}
	batches, err := parallel.Map(ctx, f.Concurrency, slices.Collect(slices.Chunk(items, embedBatch)), f.embedBatch)
	if err != nil {
		return nil, err
	}
	made := joinEmbedded(batches)
	if made.spent != nil {
		return nil, made.spent
	}
	vectors := make(map[string][]float32, len(made.rows))
	for _, row := range made.rows {
		vectors[row.Key] = row.Vector
	}
	out, err := nearEachOther(ctx, items, vectors, at)
	if err != nil || len(fresh) == len(groups) {
		return out, err
	}
	return out, f.nearOthers(ctx, vectors, at, out)
}

func nearEachOther(ctx context.Context, items []neo4jstore.EmbedItem, vectors map[string][]float32, at map[string]int) (map[int][]resolve.Near, error) {
	out := map[int][]resolve.Near{}
	var set *qcg.Set
	for _, item := range items { // in the order of their names
		v := vectors[item.Key]
		if len(v) == 0 {
			continue
		}
		if set == nil {
			set = qcg.NewSet(len(v), len(items))
		}
		set.Add(item.Key, v)
	}
	if set == nil {
		return out, nil
	}
	nodes := make([]int, set.Len())
	for i := range nodes {
		nodes[i] = i
	}
	lists, err := set.Relink(ctx, make([][]qcg.Neighbour, set.Len()), nodes, qcg.Bound{K: resolve.MaxSimilar, Least: nearLeast}, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	for i, list := range lists {
		for _, n := range list {
			g := at[set.Key(i)]
			out[g] = append(out[g], resolve.Near{Name: n.Key, Cosine: n.Score})
		}
	}
	return out, nil
}

// nearOthers adds the entities of the index that are near.
func (f *nameFolder) nearOthers(ctx context.Context, vectors map[string][]float32, at map[string]int, out map[int][]resolve.Near) error {
	search := func(ctx context.Context, name string) (near []resolve.Near, err error) {
		hits, err := f.store.SearchVector(ctx, f.Corpus, graph.KindEntity, vectors[name], resolve.MaxSimilar+1)
		if err != nil {
			return nil, fmt.Errorf("find entities near %q: %w", name, err)
		}
		for _, h := range hits {
			if other := graph.Local(h.Key); h.Score >= nearLeast && other != name {
				near = append(near, resolve.Near{Name: other, Cosine: h.Score})
			}
		}
		return near, nil
	}
	var names []string
	for _, name := range sortedKeys(vectors) {
		if len(vectors[name]) > 0 {
			names = append(names, name)
		}
	}
	found, err := parallel.Map(ctx, f.Concurrency, names, search)
	for i, near := range found {
		out[at[names[i]]] = append(out[at[names[i]]], near...)
	}
	return err
}
