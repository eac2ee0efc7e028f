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

// The tasks of an engine. Ours are named by effort, a peer knows flat alone.
const (
	taskFast      = "fast"
	taskBest      = "best"
	taskFlat      = "flat"
	taskHierarchy = "hierarchy"
	// One iteration at level 0, as the peer's.
	taskHierarchyFast = "hierarchy-fast"
)

// An answer is what an engine says of one run. Peers answer in the same form.
type answer struct {
	Ms         float64 `json:"ms"`          // of the algorithm alone
	OverheadMs float64 `json:"overhead_ms"` // of taking in edges and giving back names, where they are part of a call
	Peak       int     `json:"peak"`        // resident bytes at most; 0: the system does not tell
	Before     int     `json:"before"`      // resident bytes before: the graph and the runtime
}

// serve is the side of ours: it reads a graph and runs a task for each line
// "TASK WORKERS SEED", as peers.py does for the peers.
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
		// Memory of runs before must not count; that it is warm may.
		if what := fields[0] + fields[1]; !seen[what] {
			seen[what] = true
			debug.FreeOSMemory()
		}
		a, levels, err := measured(ctx, g, fields[0], fields[1], fields[2])
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

// load reads a graph. Its list of edges is garbage afterwards.
func load(ctx context.Context, path string) (*leiden.Graph, error) {
	n, err := readNetwork(path)
	if err != nil {
		return nil, err
	}
	return n.build(ctx)
}

// build makes the graph that is clustered.
func (n *network) build(ctx context.Context) (*leiden.Graph, error) {
	b := leiden.NewBuilder(n.nodes)
	for i, w := range n.weights {
		if err := b.Add(n.ends[2*i], n.ends[2*i+1], w); err != nil {
			return nil, err
		}
	}
	return b.BuildContext(ctx)
}

// measured runs one task.
func measured(ctx context.Context, g *leiden.Graph, task, workers, seed string) (answer, [][]uint32, error) {
	o, err := optionsOf(task, workers, seed)
	if err != nil {
		return answer{}, nil, err
	}
	// Twice: memory that is kept for the next problem outlives one collection, and
	// would not count as taken.
	runtime.GC()
	runtime.GC()
	resetPeak()
	a := answer{Before: resident("VmRSS")}
	var levels [][]uint32
	var times []float64
	for begin := time.Now(); again(times, time.Since(begin)); {
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

// A request is run several times in a row, whoever it is for, and its time is the
// median: the first may find caches and memory cold.
const (
	repeats      = 25
	repeatFor    = 200 * time.Millisecond
	leastRepeats = 3    // though they take longer,
	leastBelow   = 3000 // if the first took less than so many milliseconds
)

// again says whether a request whose runs took those milliseconds, and all together
// that long, is run once more.
func again(times []float64, all time.Duration) bool {
	n := len(times)
	return n == 0 || n < repeats && all < repeatFor || n < leastRepeats && times[0] < leastBelow
}

// cluster runs a task once; what it returns gives the labels of levels.
func cluster(ctx context.Context, g *leiden.Graph, task string, o leiden.Options) (func() [][]uint32, error) {
	if task == taskHierarchy || task == taskHierarchyFast {
		h, err := leiden.BuildHierarchy(ctx, g, o)
		return func() [][]uint32 { return levelsOf(h, g.Nodes()) }, err
	}
	p, err := leiden.Cluster(ctx, g, o)
	return func() [][]uint32 { return [][]uint32{p.Labels} }, err
}

func optionsOf(task, workers, seed string) (o leiden.Options, err error) {
	if o.Workers, err = strconv.Atoi(workers); err != nil {
		return o, fmt.Errorf("read workers: %w", err)
	}
	if o.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return o, fmt.Errorf("read seed: %w", err)
	}
	switch task {
	case taskHierarchy:
		return o, nil // as the program runs it
	case taskHierarchyFast:
		task = taskFast
	}
	o.Effort, err = leiden.ParseEffort(task)
	return o, err
}

// levelsOf gives the label of every node at every level.
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

// resident reads a size of this process that Linux tells, in bytes; 0 elsewhere.
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

// resetPeak lets VmHWM begin anew, where the system allows it.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
