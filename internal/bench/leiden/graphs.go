package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A source is where a graph comes from: the generator, or a file of the test data.
type source struct {
	name  string
	args  string // of the generator; "" for a file
	small bool   // part of the small set
	// Recorded on one machine, in milliseconds; 0 if not recorded.
	gve  [2]float64 // GVE-Leiden with one and two threads
	peer float64    // igraph
}

// sources are the graphs to measure.
var sources = []source{
	{name: "karate"},
	{name: "dolphins"},
	{name: "lesmis"},
	{name: "football"},
	{name: "jazz", small: true},
	{name: "celegans_metabolic", small: true},
	{name: "hep-th", small: true, gve: [2]float64{3.83, 3.89}, peer: 19},
	{name: "PGPgiantcompo", small: true, gve: [2]float64{5.85, 5.96}, peer: 26},
	{name: "kg8k", small: true, args: "kg -n 8564 -m 20691 -mu 0.20 -kmax 400 -cmin 5 -cmax 250 -t1 2.2 -t2 1.6 -seed 16", gve: [2]float64{6.16, 6.71}, peer: 28},
	{name: "kg15k", small: true, args: "kg -n 15754 -m 19520 -mu 0.15 -kmax 400 -cmin 5 -cmax 250 -t1 2.3 -t2 1.6 -seed 15", gve: [2]float64{4.46, 5.34}, peer: 29.4},
	{name: "kg80k", small: true, args: "kg -n 80000 -m 100000 -mu 0.15 -kmax 400 -cmin 5 -cmax 250 -t1 2.3 -t2 1.6 -seed 17"},
	{name: "lfr10k_mu1", args: "lfr -n 10000 -m 100000 -mu 0.1 -kmax 200 -cmin 30 -cmax 500 -seed 11", gve: [2]float64{10.3, 11}, peer: 42.4},
	{name: "lfr10k_mu3", small: true, args: "lfr -n 10000 -m 100000 -mu 0.3 -kmax 200 -cmin 30 -cmax 500 -seed 11", gve: [2]float64{14.1, 14.3}, peer: 51.5},
	{name: "lfr10k_mu5", args: "lfr -n 10000 -m 100000 -mu 0.5 -kmax 200 -cmin 30 -cmax 500 -seed 11", gve: [2]float64{17.2, 16.4}, peer: 64.5},
	{name: "lfr100k_mu1", args: "lfr -n 100000 -m 1000000 -mu 0.1 -kmax 500 -cmin 50 -cmax 1000 -seed 12", gve: [2]float64{144, 125}, peer: 706},
	{name: "lfr100k_mu3", small: true, args: "lfr -n 100000 -m 1000000 -mu 0.3 -kmax 500 -cmin 50 -cmax 1000 -seed 12", gve: [2]float64{194, 136}, peer: 919},
	{name: "lfr100k_mu5", args: "lfr -n 100000 -m 1000000 -mu 0.5 -kmax 500 -cmin 50 -cmax 1000 -seed 12", gve: [2]float64{241, 175}, peer: 1238},
	{name: "rmat18", args: "rmat -scale 18 -m 4000000 -seed 14", gve: [2]float64{969, 716}, peer: 8821},
	{name: "lfr1m_mu1", args: "lfr -n 1000000 -m 10000000 -mu 0.1 -kmax 1000 -cmin 50 -cmax 2000 -seed 13", gve: [2]float64{2756, 1826}, peer: 15843},
	{name: "lfr1m_mu3", args: "lfr -n 1000000 -m 10000000 -mu 0.3 -kmax 1000 -cmin 50 -cmax 2000 -seed 13", gve: [2]float64{3497, 2094}, peer: 21253},
	{name: "lfr1m_mu5", args: "lfr -n 1000000 -m 10000000 -mu 0.5 -kmax 1000 -cmin 50 -cmax 2000 -seed 13", gve: [2]float64{4106, 2765}, peer: 26102},
}

// recorded finds the source of a graph, which has its recorded times.
func recorded(name string) source {
	for _, s := range sources {
		if s.name == name {
			return s
		}
	}
	return source{}
}

// A graphMaker generates graphs in a folder, each once.
type graphMaker struct {
	folder string // of graphs
	data   string // test data
	tools  string // sources of the generator
}

// path returns the file of a graph, which it generates if it does not exist.
func (m graphMaker) path(ctx context.Context, s source) (string, error) {
	base := filepath.Join(m.folder, s.name)
	if _, err := os.Stat(base + ".bin"); err == nil {
		return base + ".bin", nil
	}
	args := append(strings.Fields(s.args), "-o", base)
	if s.args == "" {
		file := filepath.Join(m.data, "graphs", s.name+".txt")
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("find graph %s: %w (set NEORAG_DATA)", s.name, err)
		}
		args = []string{"edges0", file, base}
	}
	program, err := m.generator(ctx)
	if err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
		_ = os.Remove(base + ".bin") // it may be incomplete
		return "", fmt.Errorf("generate graph %s: %w: %s", s.name, err, out)
	}
	_ = os.Remove(base + ".txt") // not needed, and large
	return base + ".bin", nil
}

// generator returns the program that generates graphs, which it builds once.
func (m graphMaker) generator(ctx context.Context) (string, error) {
	program, err := filepath.Abs(filepath.Join(m.folder, "generator"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if _, err := os.Stat(m.tools); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find graph generator: %w (set NEORAG_DATA to a folder next to tools)", err)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	cmd.Dir = m.tools
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build graph generator: %w: %s", err, out)
	}
	return program, nil
}

// A network is a graph as the list of edges that the generator wrote.
type network struct {
	nodes   int
	ends    []uint32 // two per edge
	weights []float64
}

func (n *network) edges() int { return len(n.weights) }

// readNetwork reads the number of nodes, the number of edges, then for each edge its ends and
// its weight, all little endian.
func readNetwork(path string) (*network, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const header, record = 16, 16
	order := binary.LittleEndian
	if len(data) < header || uint64(len(data)-header) != record*order.Uint64(data[8:]) {
		return nil, fmt.Errorf("read graph %s: %d bytes do not match its number of edges", path, len(data))
	}
	count := (len(data) - header) / record
	n := &network{nodes: int(order.Uint64(data)), ends: make([]uint32, 2*count), weights: make([]float64, count)}
	for i := range count {
		at := data[header+record*i:]
		n.ends[2*i], n.ends[2*i+1] = order.Uint32(at), order.Uint32(at[4:])
		n.weights[i] = math.Float64frombits(order.Uint64(at[8:]))
		if max(n.ends[2*i], n.ends[2*i+1]) >= uint32(n.nodes) {
			return nil, fmt.Errorf("read graph %s: edge %d has an end that is not below %d, the number of nodes", path, i, n.nodes)
		}
	}
	return n, nil
}
