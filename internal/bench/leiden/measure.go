package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// ours is the name of the engine of internal/leiden in rows.
const ours = "neorag"

// A row is what one engine did with one task on one graph.
type row struct {
	Graph   string `json:"graph"`
	Nodes   int    `json:"nodes"`
	Edges   int    `json:"edges"`
	Engine  string `json:"engine"`
	Task    string `json:"task"`
	Workers int    `json:"workers"`
	Runs    int    `json:"runs"`

	Ms         float64 `json:"ms"`          // median of the runs, of the algorithm alone
	LeastMs    float64 `json:"least_ms"`    // of the runs
	OverheadMs float64 `json:"overhead_ms"` // median: edges in, names out
	PeakMB     float64 `json:"peak_mb"`     // of the first run; 0: not known
	AboveMB    float64 `json:"above_mb"`    // of that, what came on top of the graph

	verdict // modularity: mean of the runs; the rest: of the first, so that rows compare; disconnected and straddling: the most
}

// A job is a task for an engine, with its answers so far.
type job struct {
	engine  string
	task    string
	workers int
	at      runner

	answers  []answer
	verdicts []verdict
	spent    time.Duration
}

// limits say how long to measure.
type limits struct {
	rounds int
	budget time.Duration // a job that took so long on a graph is not run again
}

// bench measures graphs.
type bench struct {
	folder string // for what engines write
	self   string // this program
	python python
	gve    string // path of a program; empty: none
	limits limits
	say    func(format string, args ...any)
}

// graph measures all engines on one graph: in each round each job once, so that
// a slow minute of the machine is everyone's.
func (b *bench) graph(ctx context.Context, name, path string) (rows []row, missing []string, err error) {
	n, err := readNetwork(path)
	if err != nil {
		return nil, nil, err
	}
	jobs, runners, missing, err := b.jobs(ctx, path, n)
	defer func() {
		for _, r := range runners {
			err = errors.Join(err, r.close())
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	for round := range b.limits.rounds {
		for _, j := range jobs {
			if round > 0 && j.spent > b.limits.budget {
				continue
			}
			begin := time.Now()
			a, levels, err := j.at.run(ctx, j.task, j.workers, uint64(round))
			if err != nil {
				return nil, nil, fmt.Errorf("%s, %s of %s: %w", name, j.task, j.engine, err)
			}
			j.spent += time.Since(begin)
			j.answers = append(j.answers, a)
			j.verdicts = append(j.verdicts, judge(n, levels))
		}
	}
	for _, j := range jobs {
		r := j.row()
		r.Graph, r.Nodes, r.Edges = name, n.nodes, n.edges()
		rows = append(rows, r)
	}
	return rows, missing, nil
}

// slowEdges is where the slowest peers are left out: they take minutes.
const slowEdges = 5_000_000

// jobs starts the engines for a graph and lists what they do. Ours and a peer
// take turns.
func (b *bench) jobs(ctx context.Context, path string, n *network) (jobs []*job, runners []runner, missing []string, err error) {
	labels := func(engine string) string { return filepath.Join(b.folder, engine+".labels") }
	own, err := start(ctx, labels(ours), n.nodes, b.self, "-serve", path)
	if err != nil {
		return nil, nil, nil, err
	}
	runners = append(runners, own)
	var others []*job
	for _, engine := range peers {
		if b.python.versions[engine] == "" {
			continue
		}
		if engine == "leidenalg" && n.edges() > slowEdges {
			missing = append(missing, fmt.Sprintf("%s: left out on %s: takes minutes", engine, filepath.Base(path)))
			continue
		}
		p, err := start(ctx, labels(engine), n.nodes, b.python.path, peersScript, engine, path)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s on %s: %v", engine, filepath.Base(path), err))
			continue
		}
		runners = append(runners, p)
		others = append(others, &job{engine: engine, task: taskFlat, workers: 1, at: p})
		if engine == "graspologic-native" {
			others = append(others, &job{engine: engine, task: taskHierarchy, workers: 1, at: p})
		}
	}
	if b.gve != "" {
		p := &program{path: b.gve, graph: path, labels: labels("gve"), nodes: n.nodes}
		others = append(others, &job{engine: gve, task: taskFlat, workers: 1, at: p}, &job{engine: gve, task: taskFlat, workers: 2, at: p})
	}
	var mine []*job
	for _, task := range []string{taskFast, taskBest, taskHierarchyFast, taskHierarchy} {
		for _, workers := range []int{1, 2} {
			mine = append(mine, &job{engine: ours, task: task, workers: workers, at: own})
		}
	}
	return turns(mine, others), runners, missing, nil
}

// turns takes one of each in turn.
func turns(a, b []*job) (all []*job) {
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			all = append(all, a[i])
		}
		if i < len(b) {
			all = append(all, b[i])
		}
	}
	return all
}

const megabyte = 1e6

func (j *job) row() row {
	r := row{Engine: j.engine, Task: j.task, Workers: j.workers, Runs: len(j.answers)}
	var times, overheads []float64
	for _, a := range j.answers {
		times, overheads = append(times, a.Ms), append(overheads, a.OverheadMs)
	}
	r.Ms, r.LeastMs, r.OverheadMs = median(times), slices.Min(times), median(overheads)
	if first := j.answers[0]; first.Peak > 0 {
		r.PeakMB, r.AboveMB = float64(first.Peak)/megabyte, float64(max(first.Peak-first.Before, 0))/megabyte
	}
	r.verdict = j.verdicts[0]
	r.Modularity = 0
	for _, v := range j.verdicts {
		r.Modularity += v.Modularity / float64(len(j.verdicts))
		r.Disconnected, r.Straddling = max(r.Disconnected, v.Disconnected), max(r.Straddling, v.Straddling)
	}
	return r
}

// median is the middle one of values, or the mean of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// scratch makes the folder for what engines write, removed by the function.
func scratch(parent string) (string, func(), error) {
	folder, err := os.MkdirTemp(parent, "run")
	if err != nil {
		return "", nil, err
	}
	return folder, func() { _ = os.RemoveAll(folder) }, nil
}
