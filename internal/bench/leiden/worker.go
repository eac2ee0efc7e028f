package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/leiden"
)

// The tasks of an engine. Flat tasks of ours are named by effort, peers know taskFlat only.
const (
	taskFast      = "fast"
	taskBest      = "best"
	taskFlat      = "flat"
	taskHierarchy = "hierarchy"
	// One iteration at level 0, as graspologic-native runs it.
	taskHierarchyFast = "hierarchy-fast"
)

// An answer is what an engine prints about one run. Peers print the same.
type answer struct {
	Ms         float64 `json:"ms"`          // of the algorithm alone
	OverheadMs float64 `json:"overhead_ms"` // to convert edges and names, if that is part of a call
	Peak       int     `json:"peak"`        // peak of the resident memory in bytes; 0 if the system does not report it
	Before     int     `json:"before"`      // resident memory before the run, in bytes: the graph and the runtime
}

// serve runs our engine: it reads a graph and runs a task for each line "TASK WORKERS
// SEED", as peers.py does for the peers.
func serve(ctx context.Context, r io.Reader, w io.Writer, graph, labels string) error {
	g, err := load(ctx, graph)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, `{"ready": true}`); err != nil {
		return err
	}
	seen := make(map[string]bool)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			return fmt.Errorf("read request %q: want task, workers and seed", lines.Text())
		}
		// Memory of earlier tasks must not count. Repeated tasks may find it allocated.
		if what := fields[0] + fields[1]; !seen[what] {
			seen[what] = true
			debug.FreeOSMemory()
		}
		a, levels, err := runTask(ctx, g, fields[0], fields[1], fields[2])
		if err != nil {
			return err
		}
		if err := writeLabels(labels, levels); err != nil {
			return fmt.Errorf("write labels: %w", err)
		}
		if err := json.NewEncoder(w).Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

// load reads a graph, without keeping its list of edges.
func load(ctx context.Context, path string) (*leiden.Graph, error) {
	n, err := readNetwork(path)
	if err != nil {
		return nil, err
	}
	return n.build(ctx)
}

// build returns the graph to cluster.
func (n *network) build(ctx context.Context) (*leiden.Graph, error) {
	b := leiden.NewBuilder(n.nodes)
	for i, w := range n.weights {
		if err := b.Add(n.ends[2*i], n.ends[2*i+1], w); err != nil {
			return nil, err
		}
	}
	return b.BuildContext(ctx)
}

// runTask runs one task several times, and returns the labels of the first run.
func runTask(ctx context.Context, g *leiden.Graph, task, workers, seed string) (answer, [][]uint32, error) {
	o, err := optionsOf(task, workers, seed)
	if err != nil {
		return answer{}, nil, err
	}
	// Twice, because memory that is kept for the next problem survives one collection,
	// and would not be counted.
	runtime.GC()
	runtime.GC()
	resetPeak()
	a := answer{Before: resident("VmRSS")}
	var levels [][]uint32
	var times []float64
	for begin := time.Now(); runAgain(times, time.Since(begin)); {
		start := time.Now()
		found, err := cluster(ctx, g, task, o)
		if err != nil {
			return answer{}, nil, err
		}
		times = append(times, milliseconds(time.Since(start)))
		if levels == nil {
			a.Peak, levels = resident("VmHWM"), found()
		}
	}
	a.Ms = median(times)
	return a, levels, nil
}

// Every engine runs a request several times in a row, and reports the median: caches and
// memory may be cold at first.
const (
	repeats      = 25
	repeatFor    = 200 * time.Millisecond
	leastRepeats = 3    // even if they take longer than repeatFor,
	leastBelow   = 3000 // if the first took less than this, in milliseconds
)

// runAgain reports whether to run a request again after runs of these milliseconds, which
// took the time all in total.
func runAgain(times []float64, all time.Duration) bool {
	n := len(times)
	return n == 0 || n < repeats && all < repeatFor || n < leastRepeats && times[0] < leastBelow
}

// cluster runs a task once. The returned function returns the labels of its levels.
func cluster(ctx context.Context, g *leiden.Graph, task string, o leiden.Options) (func() [][]uint32, error) {
	if task != taskHierarchy && task != taskHierarchyFast {
		o.MaxSize = g.Nodes() + 1 // no community is split
	}
	h, err := leiden.BuildHierarchy(ctx, g, o)
	return func() [][]uint32 { return levelsOf(h, g.Nodes()) }, err
}

// optionsOf returns the options of a request.
func optionsOf(task, workers, seed string) (o leiden.Options, err error) {
	if o.Workers, err = strconv.Atoi(workers); err != nil {
		return o, fmt.Errorf("read workers: %w", err)
	}
	if o.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return o, fmt.Errorf("read seed: %w", err)
	}
	switch task {
	case taskHierarchy:
		return o, nil // as an index run does
	case taskHierarchyFast:
		task = taskFast
	}
	o.Effort, err = leiden.ParseEffort(task)
	return o, err
}

// levelsOf returns the label of every node at every level.
func levelsOf(h *leiden.Hierarchy, nodes int) [][]uint32 {
	levels := make([][]uint32, len(h.Levels))
	for i, communities := range h.Levels {
		labels := make([]uint32, nodes)
		for v := range labels {
			labels[v] = none
		}
		for c, found := range communities {
			for _, v := range h.Order[found.First:found.Last] {
				labels[v] = uint32(c)
			}
		}
		levels[i] = labels
	}
	return levels
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// resident returns a size of this process in bytes, such as VmRSS; 0 on systems other than
// Linux.
func resident(field string) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kib, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}

// resetPeak resets VmHWM, if the system allows it.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
