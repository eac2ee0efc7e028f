package leiden_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

type edge struct {
	u, v uint32
	w    float64
}

// readEdges reads a file of lines "u v w".
func readEdges(path string) (nodes int, edges []edge, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e edge
		if _, err := fmt.Sscan(lines.Text(), &e.u, &e.v, &e.w); err != nil {
			return 0, nil, fmt.Errorf("read %s: %w", path, err)
		}
		nodes = max(nodes, int(e.u)+1, int(e.v)+1)
		edges = append(edges, e)
	}
	return nodes, edges, lines.Err()
}

func build(t rapid.TB, nodes int, edges []edge) *leiden.Graph {
	t.Helper()
	b := leiden.NewBuilder(nodes)
	for _, e := range edges {
		if err := b.Add(e.u, e.v, e.w); err != nil {
			t.Fatalf("add edge: %v", err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatalf("build graph: %v", err)
	}
	return g
}

func load(tb testing.TB, name string) *leiden.Graph {
	tb.Helper()
	nodes, edges, err := readEdges(filepath.Join(testcorpora.Dir(tb), "graphs", name+".txt"))
	if err != nil {
		tb.Fatalf("read graph: %v", err)
	}
	return build(tb, nodes, edges)
}
