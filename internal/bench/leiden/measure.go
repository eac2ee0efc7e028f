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

// ours is the name of our engine, internal/leiden.
const ours = "neorag"

// A row is the result of one task of one engine on one graph.
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
	OverheadMs float64 `json:"overhead_ms"` // median of the time to convert edges and names
	PeakMB     float64 `json:"peak_mb"`     // of the first run; 0 if not known
	AboveMB    float64 `json:"above_mb"`    // part of it that the run added to the process with its graph

	evaluation // of the first run. Modularity is the mean, Disconnected and Straddling the maximum of all
}

// A job is a task of an engine, with its answers so far.
type job struct {
	engine  string
	task    string
	workers int
	runner  runner

	answers     []answer
	evaluations []evaluation
	spent       time.Duration
}

// limits bound a measurement.
type limits struct {
	rounds int
	budget time.Duration // a job that has used it up on a graph is not run again
}

// A bench measures graphs.
type bench struct {
	folder string // for files of the engines
	self   string // this program
	python python
	gve    string // path of GVE-Leiden; "" for none
	limits limits
	logf   func(format string, args ...any)
}

// graph measures all engines on one graph. Each round runs each job once, so that a slow
// minute of the machine affects all of them.
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
			a, levels, err := j.runner.run(ctx, j.task, j.workers, uint64(round))
			if err != nil {
				return nil, nil, fmt.Errorf("run task %s of %s on %s: %w", j.task, j.engine, name, err)
			}
			j.spent += time.Since(begin)
			j.answers = append(j.answers, a)
			j.evaluations = append(j.evaluations, evaluate(n, levels))
		}
	}
	for _, j := range jobs {
		r := j.row()
		r.Graph, r.Nodes, r.Edges = name, n.nodes, n.edges()
		rows = append(rows, r)
	}
	return rows, missing, nil
}

// slowEdges is the number of edges above which leidenalg is left out.
const slowEdges = 5_000_000

// jobs starts the engines for a graph and returns their jobs, ours and the peers' in
// turn. The runners must be closed, also after an error.
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
			missing = append(missing, fmt.Sprintf("%s on %s: takes minutes", engine, filepath.Base(path)))
			continue
		}
		p, err := start(ctx, labels(engine), n.nodes, b.python.path, peersScript, engine, path)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s on %s: %v", engine, filepath.Base(path), err))
			continue
		}
		runners = append(runners, p)
		others = append(others, &job{engine: engine, task: taskFlat, workers: 1, runner: p})
		if engine == "graspologic-native" {
			others = append(others, &job{engine: engine, task: taskHierarchy, workers: 1, runner: p})
		}
	}
	if b.gve != "" {
		p := &program{path: b.gve, graph: path, labels: labels("gve"), nodes: n.nodes}
		others = append(others, &job{engine: gve, task: taskFlat, workers: 1, runner: p}, &job{engine: gve, task: taskFlat, workers: 2, runner: p})
	}
	var mine []*job
	for _, task := range []string{taskFast, taskBest, taskHierarchyFast, taskHierarchy} {
		for _, workers := range []int{1, 2} {
			mine = append(mine, &job{engine: ours, task: task, workers: workers, runner: own})
		}
	}
	return interleave(mine, others), runners, missing, nil
}

// interleave returns the jobs of both lists in turn.
func interleave(a, b []*job) (all []*job) {
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

// row summarises the answers of a job.
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
	r.evaluation = j.evaluations[0]
	r.Modularity = 0
	for _, v := range j.evaluations {
		r.Modularity += v.Modularity / float64(len(j.evaluations))
		r.Disconnected, r.Straddling = max(r.Disconnected, v.Disconnected), max(r.Straddling, v.Straddling)
	}
	return r
}

// median returns the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// tempFolder makes the folder for files of the engines. The returned function removes it.
func tempFolder(parent string) (string, func(), error) {
	folder, err := os.MkdirTemp(parent, "run")
	if err != nil {
		return "", nil, err
	}
	return folder, func() { _ = os.RemoveAll(folder) }, nil
}
