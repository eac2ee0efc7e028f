package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// write writes a network to a file in the format of the generator.
func write(t *testing.T, n *network) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "graph.bin")
	var b bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	put([]int64{int64(n.nodes), int64(n.edges())})
	for i, w := range n.weights {
		put(n.ends[2*i : 2*i+2])
		put(w)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadNetworkRefuses(t *testing.T) {
	t.Parallel()
	n := twoTriangles()
	n.ends[3] = 7
	if _, err := readNetwork(write(t, n)); err == nil {
		t.Error("an edge to a missing node was accepted")
	}
	path := write(t, twoTriangles())
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 15, 16, len(body) - 1} {
		if err := os.WriteFile(path, body[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readNetwork(path); err == nil {
			t.Errorf("%d of %d bytes were read as a graph", size, len(body))
		}
	}
}
