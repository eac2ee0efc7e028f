package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// none is the label of a node that has no community at a level.
const none = 1<<32 - 1

// An evaluation rates a partition or a hierarchy from its edges and labels only, so that
// no engine rates itself.
type evaluation struct {
	Modularity   float64 `json:"modularity"` // of level 0, at resolution 1
	Levels       int     `json:"levels"`
	Communities  int     `json:"communities"`  // of all levels
	Disconnected int     `json:"disconnected"` // those in more than one piece
	Largest      int     `json:"largest"`      // size of the largest community without children
	Straddling   int     `json:"straddling"`   // communities with members in two communities of the level above
}

// evaluate rates the levels of a hierarchy. Labels may be any numbers.
func evaluate(n *network, levels [][]uint32) evaluation {
	v := evaluation{Levels: len(levels)}
	var above []uint32
	for i, raw := range levels {
		labels, count := renumber(raw)
		v.Communities += count
		v.Disconnected += disconnected(n, labels, count)
		if i == 0 {
			v.Modularity = modularity(n, labels, count)
		} else {
			v.Straddling += straddling(labels, above, count)
		}
		v.Largest = max(v.Largest, largestChildless(labels, levels[i+1:], count))
		above = labels
	}
	return v
}

// renumber replaces labels by numbers from 0, and returns how many there are.
func renumber(raw []uint32) ([]uint32, int) {
	names := make(map[uint32]uint32)
	labels := make([]uint32, len(raw))
	for i, c := range raw {
		if c == none {
			labels[i] = none
			continue
		}
		d, ok := names[c]
		if !ok {
			d = uint32(len(names))
			names[c] = d
		}
		labels[i] = d
	}
	return labels, len(names)
}

// modularity returns the modularity at resolution 1.
func modularity(n *network, labels []uint32, count int) float64 {
	total, inside := 0.0, 0.0
	ends := make([]float64, count)
	for i, w := range n.weights {
		a, b := labels[n.ends[2*i]], labels[n.ends[2*i+1]]
		total += w
		if a == b && a != none {
			inside += w
		}
		if a != none {
			ends[a] += w
		}
		if b != none {
			ends[b] += w
		}
	}
	if total == 0 {
		return 0
	}
	q := inside / total
	for _, k := range ends {
		q -= k / (2 * total) * (k / (2 * total))
	}
	return q
}

// disconnected counts the communities that are not connected by edges inside them.
func disconnected(n *network, labels []uint32, count int) int {
	parent := make([]uint32, n.nodes)
	for i := range parent {
		parent[i] = uint32(i)
	}
	find := func(v uint32) uint32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for i := range n.weights {
		u, v := n.ends[2*i], n.ends[2*i+1]
		if labels[u] == labels[v] {
			parent[find(u)] = find(v)
		}
	}
	pieces := make([]int, count)
	for v := range parent {
		if labels[v] != none && parent[v] == uint32(v) {
			pieces[labels[v]]++
		}
	}
	bad := 0
	for _, p := range pieces {
		if p > 1 {
			bad++
		}
	}
	return bad
}

// straddling counts the communities that are not within one community of the level above.
func straddling(labels, above []uint32, count int) int {
	const unseen = none - 1
	home := make([]uint32, count)
	for i := range home {
		home[i] = unseen
	}
	bad := make(map[uint32]bool)
	for v, c := range labels {
		if c == none {
			continue
		}
		if home[c] == unseen {
			home[c] = above[v]
		}
		if home[c] != above[v] || above[v] == none {
			bad[c] = true
		}
	}
	return len(bad)
}

// largestChildless returns the size of the largest community without children.
func largestChildless(labels []uint32, below [][]uint32, count int) int {
	sizes, parents := make([]int, count), make([]bool, count)
	for v, c := range labels {
		if c == none {
			continue
		}
		sizes[c]++
		if len(below) > 0 && below[0][v] != none {
			parents[c] = true
		}
	}
	most := 0
	for c, size := range sizes {
		if !parents[c] {
			most = max(most, size)
		}
	}
	return most
}

// maxLevels is far more than any hierarchy has.
const maxLevels = 10_000

// writeLabels writes the number of levels, then the labels of each, as uint32.
func writeLabels(path string, levels [][]uint32) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := binary.Write(w, binary.LittleEndian, uint32(len(levels))); err != nil {
		return err
	}
	for _, labels := range levels {
		if err := binary.Write(w, binary.LittleEndian, labels); err != nil {
			return err
		}
	}
	return w.Flush()
}

// readLabels reads a file of writeLabels.
func readLabels(path string, nodes int) ([][]uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // the file is only read
	r := bufio.NewReaderSize(f, 1<<20)
	var count uint32
	if err := binary.Read(r, binary.LittleEndian, &count); err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	if count > maxLevels {
		return nil, fmt.Errorf("read labels: %d levels, want at most %d", count, maxLevels)
	}
	levels := make([][]uint32, count)
	for i := range levels {
		levels[i] = make([]uint32, nodes)
		if err := binary.Read(r, binary.LittleEndian, levels[i]); err != nil {
			return nil, fmt.Errorf("read labels of level %d: %w", i, err)
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("read labels: more than %d levels of %d nodes", count, nodes)
	}
	return levels, nil
}
