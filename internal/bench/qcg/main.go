// Command qcg prints the ablations of the query-centric graph (QCG-RAG, section 4.2) without a
// server of Neo4j, and without a model or with vectors of an embedding model: hops, neighbours, node choices, the share of pairs that is kept,
// and more. Everything is computed in memory. Settings are chosen on the questions whose id
// ends in an even digit.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/neorag/neorag/internal/stage/qcg"
)

var sets = []struct {
	name    string
	folders []string
}{
	{"lihuaworld", []string{"lihuaworld"}},
	{"wild", []string{"wild/mathematics", "wild/nature", "wild/history", "wild/technology"}},
}

func main() {
	data := flag.String("data", os.Getenv("NEORAG_DATA"), "`FOLDER` of the sets")
	only := flag.String("only", "", "`SET` to measure; all without it")
	count := flag.Int("pairs", 20, "pairs of a chunk")
	match := flag.String("match", "", "measure only variants whose name matches this `REGEXP`")
	cost := flag.Bool("cost", false, "print the cost of making and linking the pairs instead")
	url := flag.String("embedding-url", "", "`URL` of a server of embeddings that makes the vectors")
	model := flag.String("embedding-model", "", "`NAME` of its model")
	flag.Parse()
	if *data == "" {
		*data = filepath.Join("..", "shared", "data")
	}
	if err := runSets(context.Background(), *data, *only, *match, *count, *cost, *url, *model); err != nil {
		fmt.Fprintln(os.Stderr, "qcg:", err)
		os.Exit(1)
	}
}

// runSets measures the sets with vectors of a model, or hashed ones without its URL.
func runSets(ctx context.Context, data, only, match string, count int, cost bool, url, model string) error {
	wanted, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	made, stop, err := newVectors(url, model)
	if err != nil {
		return err
	}
	defer stop()
	for _, s := range sets {
		if only != "" && s.name != only {
			continue
		}
		if err := run(ctx, s.name, data, s.folders, count, cost, wanted, made); err != nil {
			return fmt.Errorf("measure %s: %w", s.name, err)
		}
	}
	return nil
}

func run(ctx context.Context, name, data string, folders []string, count int, cost bool, wanted *regexp.Regexp, made *vectors) error {
	var topics []*topic
	start, pairs, chunks := time.Now(), 0, 0
	for _, folder := range folders {
		t, err := read(ctx, filepath.Join(data, filepath.FromSlash(folder)), count, made)
		if err != nil {
			return err
		}
		topics = append(topics, t)
		chunks += len(t.chunks)
		for _, c := range t.chunks {
			pairs += len(c.pairs)
		}
	}
	seconds := time.Since(start).Seconds()
	fmt.Printf("\n%s: %d chunks, %d pairs, made with their vectors in %.1f s, %.0f a second\n\n", name, chunks, pairs, seconds, float64(pairs)/seconds)
	if cost {
		return linkAll(ctx, topics)
	}
	for _, t := range topics {
		s, err := t.nodesOf(ctx, standard())
		if err != nil {
			return err
		}
		fmt.Printf("%s: unrelated pairs have a mean cosine of %.3f, nearest neighbours of %.3f\n", t.name, s.scale.Unrelated, s.scale.Near)
	}
	fmt.Println("| variant | recall@5 even | odd | all | MRR even | odd | all |\n|---|---:|---:|---:|---:|---:|---:|")
	best, top := standard(), -1.
	for _, v := range variants() {
		if !wanted.MatchString(v.name) {
			continue
		}
		f, err := measure(ctx, topics, v)
		if err != nil {
			return err
		}
		fmt.Println(f.row(v.name))
		if score := f.recall(even) + f.mrr(even); v.node == "pair" && v.pool == "mean" && !v.terms && score > top {
			best, top = v, score
		}
	}
	fmt.Printf("\nbest on even questions: %s\n", best.name)
	return nil
}

// linkAll prints how long it takes to find the neighbours of all kept pairs.
func linkAll(ctx context.Context, topics []*topic) error {
	for _, t := range topics {
		s, err := t.nodesOf(ctx, standard())
		if err != nil {
			return err
		}
		all := make([]int, s.set.Len())
		for i := range all {
			all[i] = i
		}
		start := time.Now()
		lists, err := s.set.Nearest(ctx, all, qcg.DefaultNeighbours, runtime.NumCPU())
		if err != nil {
			return err
		}
		edges := 0
		for _, l := range lists {
			edges += len(l)
		}
		seconds := time.Since(start).Seconds()
		fmt.Printf("%s: %d kept pairs, %d edges in %.1f s, %.0f edges a second with %d workers; unrelated %.3f, near %.3f\n", t.name, len(all), edges, seconds, float64(edges)/seconds, runtime.NumCPU(), s.scale.Unrelated, s.scale.Near)
	}
	return nil
}

// lowest is a gamma that every node reaches.
const lowest = -10

// variants returns the default and what differs from it in one setting, then combinations.
func variants() []variant {
	var out []variant
	add := func(name string, change func(*variant)) {
		v := standard()
		v.name = name
		change(&v)
		out = append(out, v)
	}
	add("default: pair, alpha .8, n 15, gamma 1, 1 hop, k 3", func(*variant) {})
	add("chunk vectors alone", func(v *variant) {
		v.node, v.n, v.hops = "chunk", 60, 0
		v.gamma = lowest
	})
	add("d2q", func(v *variant) {
		v.node, v.alpha, v.n, v.hops = "d2q", 1, 60, 0
		v.gamma = lowest
	})
	add("d2q--", func(v *variant) {
		v.node, v.n, v.hops = "d2q", 60, 0
		v.gamma = lowest
	})
	for _, k := range []int{2, 3} {
		for _, hops := range []int{0, 1, 2} {
			if hops == 0 && k == 2 || hops == 1 && k == 3 {
				continue
			}
			add(fmt.Sprintf("hops %d, k %d", hops, k), func(v *variant) { v.hops, v.k = hops, k })
		}
	}
	for _, node := range []string{"query", "answer", "sentence"} {
		add("node "+node, func(v *variant) { v.node = node })
	}
	for _, alpha := range []float64{.2, .4, .6, 1} {
		add(fmt.Sprintf("alpha %.1f", alpha), func(v *variant) { v.alpha = alpha })
	}
	for _, n := range []int{5, 10, 20, 40} {
		add(fmt.Sprintf("n %d", n), func(v *variant) { v.n = n })
	}
	for _, gamma := range []float64{1.25, 1.5, 1.75} {
		add(fmt.Sprintf("gamma %.2f", gamma), func(v *variant) { v.gamma = gamma })
	}
	add("dialogue: n 10, gamma 1.5, k 2", func(v *variant) { v.n, v.gamma, v.k = 10, 1.5, 2 })
	add("hops 0, n 40", func(v *variant) { v.hops, v.n = 0, 40 })
	add("hops 0, n 40, alpha 1", func(v *variant) { v.hops, v.n, v.alpha = 0, 40, 1 })
	for _, pool := range []string{"max", "sum"} {
		add("hops 0, n 40, alpha 1, pooled by "+pool, func(v *variant) { v.hops, v.n, v.alpha, v.pool = 0, 40, 1, pool })
	}
	for _, pool := range []string{"mean", "max", "sum"} {
		add("weighted terms, hops 0, alpha 1, pooled by "+pool, func(v *variant) {
			v.terms, v.hops, v.alpha, v.pool = true, 0, 1, pool
			if pool != "mean" {
				v.n = 40
			}
		})
	}
	add("weighted terms of chunks", func(v *variant) { v.terms, v.node, v.n, v.hops = true, "chunk", 60, 0 })
	return out
}
