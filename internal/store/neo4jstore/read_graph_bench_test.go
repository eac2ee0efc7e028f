package neo4jstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// BenchmarkReadGraph loads a random graph into a new corpus and reads it: as the
// entities of the corpus, and as a graph of a user by labels and types, with and without
// weights. "server-s" is the time of a statement that aggregates the same rows on the
// server. NEORAG_BENCH_EDGES sets the size (100,000; ten edges per node). Run it alone,
// with -benchtime 1x, and with -cpuprofile for the time of the client.
func BenchmarkReadGraph(b *testing.B) {
	edges := 100_000
	if n, err := strconv.Atoi(os.Getenv("NEORAG_BENCH_EDGES")); err == nil {
		edges = n
	}
	s, corpus := open(b, nil), neo4jtest.Corpus(b)
	label := "Entity_" + corpus
	d := driver(b)
	ask := func(text string, params map[string]any) time.Duration {
		b.Helper()
		start := time.Now()
		session := d.NewSession(context.Background(), neo4j.SessionConfig{DatabaseName: "neo4j"})
		defer func() { _ = session.Close(context.Background()) }()
		result, err := session.Run(context.Background(), text, params)
		if err == nil {
			_, err = result.Consume(context.Background())
		}
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	b.Cleanup(func() { _ = d.Close(context.Background()) })
	loadGraph(b, ask, corpus, label, edges)
	b.Cleanup(func() {
		ask("MATCH (n:`"+label+"`) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS", nil)
	})
	server := func(text string) time.Duration {
		return ask("CYPHER 5 MATCH (a:`"+label+"`) CALL (a) { MATCH (a)-[r:RELATED]->(b:`"+label+"`) "+text+" } RETURN sum(n)", map[string]any{"w": "weight"})
	}
	measure := func(name string, alone string, read func() (pairs int, err error)) {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				processor, start := processorTime(b), time.Now()
				pairs, err := read()
				took, busy := time.Since(start), processorTime(b)-processor
				if err != nil || pairs < edges*9/10 {
					b.Fatalf("got %d pairs, %v", pairs, err)
				}
				at := server(alone)
				b.ReportMetric(took.Seconds(), "s")
				b.ReportMetric(at.Seconds(), "server-s")
				b.ReportMetric(busy.Seconds(), "client-cpu-s")
				b.ReportMetric(float64(busy.Nanoseconds())/float64(edges), "client-ns/edge")
			}
		})
	}
	weighted := "RETURN size(collect(id(b))) + size(collect(r[$w])) AS n"
	measure("entities", weighted, func() (int, error) {
		a, err := s.Adjacency(context.Background(), corpus, "count")
		if err != nil {
			return 0, err
		}
		return a.Graph.Edges(), nil
	})
	for name, weight := range map[string]string{"weighted": "weight", "unweighted": ""} {
		alone := weighted
		if weight == "" {
			alone = "RETURN size(collect(id(b))) AS n"
		}
		measure(name, alone, func() (int, error) {
			g, err := usergraph.Read(context.Background(), s, usergraph.Source{Labels: []string{label}, Types: []string{"RELATED"}, Weight: weight})
			return g.Rows, err
		})
	}
}

// loadGraph creates edges between a tenth as many nodes.
func loadGraph(b *testing.B, ask func(string, map[string]any) time.Duration, corpus, label string, edges int) {
	b.Helper()
	const batch = 10_000
	nodes := max(edges/10, 2)
	keys := make([]string, nodes)
	for i := range keys {
		keys[i] = graph.EntityKey(corpus, fmt.Sprintf("entity %07d", i))
	}
	for at := 0; at < nodes; at += batch {
		ask("UNWIND $keys AS key CREATE (:Entity:`"+label+"` {key: key, corpus: $corpus})", map[string]any{"keys": keys[at:min(at+batch, nodes)], "corpus": corpus})
	}
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]any, 0, batch)
	for i := range edges {
		u, v := random.IntN(nodes), random.IntN(nodes-1)
		if v >= u {
			v++
		}
		rows = append(rows, []any{keys[u], keys[v], 1 + random.IntN(9)})
		if len(rows) == batch || i == edges-1 {
			ask("UNWIND $rows AS row MATCH (a:Entity {key: row[0]}) MATCH (b:Entity {key: row[1]}) CREATE (a)-[:RELATED {weight: row[2]}]->(b)", map[string]any{"rows": rows})
			rows = rows[:0]
		}
	}
}
