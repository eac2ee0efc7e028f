package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/bench/proc"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// modelOptions configure the simulated model and the runs.
type modelOptions struct {
	latency     time.Duration // of every call
	concurrency int           // concurrent calls of the program
	slots       int           // concurrent calls that the server accepts; 0 for no limit
	sections    int           // of web pages, to index instead of the sets
	warm        time.Duration // time after the first prompt in which refusals do not count: the program is finding its concurrency
	path        string        // index only this folder
	runs        int           // the fastest is printed
}

// A modelFigure is one run of `neorag index` with a model.
type modelFigure struct {
	Name        string              `json:"name"`
	Calls       int                 `json:"calls"` // that the server accepted, embeddings included
	Latency     float64             `json:"latency"`
	Concurrency int                 `json:"concurrency"`
	Slots       int                 `json:"places,omitempty"`
	Ideal       float64             `json:"ideal"` // calls x latency / concurrency
	Wall        float64             `json:"wall"`  // of the whole process
	Ratio       float64             `json:"ratio"`
	InFlight    float64             `json:"in_flight"` // mean number of concurrent calls
	PeakMB      float64             `json:"peak_mb"`
	Nodes       int                 `json:"nodes"`
	Edges       int                 `json:"edges"`
	CPU         float64             `json:"cpu"`
	ModelCPU    float64             `json:"model_cpu"` // of the simulated model
	StoreCPU    float64             `json:"store_cpu"` // of Neo4j, and of what else the machine does
	Levels      int                 `json:"levels"`    // of communities: the reports of a level wait for the reports of the level below
	Path        int                 `json:"path"`      // length of the critical path, in calls
	Floor       float64             `json:"floor"`     // seconds that the critical path takes at any concurrency
	Stages      []index.StageResult `json:"stages"`
	Tasks       []taskFigure        `json:"tasks"`
	Phases      []phaseFigure       `json:"phases"`
	Failed      int                 `json:"failed"`       // items
	Failure     string              `json:"failure"`      // of the first one
	Refused     int                 `json:"refused"`      // all
	RefusedLate float64             `json:"refused_late"` // percentage of the calls after the first seconds
}

// A taskFigure is what the server recorded of one kind of call.
type taskFigure struct {
	Task  string  `json:"task"`
	Calls int     `json:"calls"`
	First float64 `json:"first"` // seconds from the start of the process to the first call
	Last  float64 `json:"last"`  // and to the last answer
}

// models measures indexing the sets with a model, and prints the figures as text and as JSON.
func (b *bench) models(ctx context.Context, o modelOptions) error {
	var figures []modelFigure
	measured := sets()
	if o.sections > 0 {
		dir, err := sectionsFolder(o.sections)
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		measured = []set{{name: fmt.Sprintf("%d sections of web pages", o.sections), corpus: "bench_sections", path: dir}}
	}
	for _, s := range measured {
		if o.path != "" && s.path != o.path {
			continue
		}
		if _, err := os.Stat(s.path); err != nil {
			_, _ = fmt.Fprintf(b.w, "\n%s: skipped, not found (set NEORAG_DATA)\n", s.name)
			continue
		}
		var f modelFigure
		for i := range o.runs {
			g, err := b.model(ctx, s.name, s.corpus+"_model", s.path, o)
			if err != nil {
				return err
			}
			if i == 0 || g.Ratio < f.Ratio {
				f = g
			}
		}
		f.print(b)
		figures = append(figures, f)
	}
	out, err := json.Marshal(figures)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.w, "\n%s\n", out)
	return err
}

// bytesPerToken is the mean length of a token that servers report.
const bytesPerToken = 4

// answer is the handler of package fakemodel with the usage that a server would report: if a server
// reports much less, the program counts what it sent.
func answer(req llmtest.Request) llmtest.Reply {
	r := fakemodel.Handler(req)
	for _, m := range req.Messages {
		r.TokensIn += int64(len(m.Content) / bytesPerToken)
	}
	return r
}

// model indexes a folder with the simulated model.
func (b *bench) model(ctx context.Context, name, corpus, path string, o modelOptions) (modelFigure, error) {
	//nolint:contextcheck // the server runs until it is closed
	server := llmtest.New(llmtest.Options{Handler: answer, Latency: o.latency, MaxConcurrent: o.slots, RetryAfter: o.latency, Dimension: 384})
	defer server.Close()
	cache, err := os.MkdirTemp("", "neorag-bench-cache")
	if err != nil {
		return modelFigure{}, err
	}
	defer func() { _ = os.RemoveAll(cache) }()
	defer func() {
		_, _ = b.exec(context.WithoutCancel(ctx), "remove", "--corpus", corpus, "--yes") // the server is temporary
	}()
	start, own, busy := time.Now(), proc.CPUSeconds(os.Getpid()), proc.BusySeconds()
	run, err := b.exec(ctx, "index", "--corpus", corpus, "--json", "--quiet", "--base-url", server.URL(), "--model", "simulated",
		"--embedding-model", "vectors", "--concurrency", strconv.Itoa(o.concurrency), "--cache-dir", cache, path)
	if err != nil {
		return modelFigure{}, err
	}
	var r index.Result
	if err := json.Unmarshal(run.out, &r); err != nil {
		return modelFigure{}, fmt.Errorf("read result: %w", err)
	}
	f := modelFigure{
		Name: name, Latency: o.latency.Seconds(), Concurrency: o.concurrency, Slots: o.slots, Wall: run.took.Seconds(),
		PeakMB: run.peakMB, CPU: run.cpu.Seconds(), ModelCPU: proc.CPUSeconds(os.Getpid()) - own, Stages: r.Stages,
	}
	f.StoreCPU = max(0, proc.BusySeconds()-busy-f.CPU-f.ModelCPU)
	if f.Failed = len(r.Failures); f.Failed > 0 {
		f.Failure = r.Failures[0].Reason
	}
	if f.Levels, err = b.depth(ctx, corpus); err != nil {
		return f, err
	}
	if f.Nodes, f.Edges, err = b.size(ctx, corpus); err != nil {
		return f, err
	}
	f.count(server.Requests(), start, o)
	return f, nil
}

// count computes the figures from the requests that the server received.
func (f *modelFigure) count(requests []llmtest.Request, start time.Time, o modelOptions) {
	tasks := map[string]taskFigure{}
	var calls []float64 // when they came
	late, lateRefused := 0, 0
	var crowd time.Time // of the first prompt: from then on there are many concurrent calls
	for _, r := range requests {
		at := r.At.Sub(start)
		if crowd.IsZero() && !r.Embeds() {
			crowd = r.At
		}
		if !crowd.IsZero() && r.At.Sub(crowd) > o.warm {
			late++
			if r.Refused {
				lateRefused++
			}
		}
		if r.Refused {
			f.Refused++
			continue
		}
		f.Calls++
		calls = append(calls, at.Seconds())
		name := fakemodel.Task(r)
		t, seen := tasks[name]
		if !seen {
			t = taskFigure{Task: name, First: at.Seconds()}
		}
		t.Calls++
		t.First, t.Last = min(t.First, at.Seconds()), max(t.Last, (at+o.latency).Seconds())
		tasks[name] = t
	}
	f.Tasks = slices.SortedFunc(maps.Values(tasks), func(a, b taskFigure) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Task, b.Task)) })
	at := o.concurrency
	if o.slots > 0 {
		at = min(at, o.slots)
	}
	f.Phases = f.phases(tasks, calls, at)
	f.Ideal = float64(f.Calls) * f.Latency / float64(at)
	f.Ratio = f.Wall / f.Ideal
	f.InFlight = float64(f.Calls) * f.Latency / f.Wall
	if late > 0 {
		f.RefusedLate = 100 * float64(lateRefused) / float64(late)
	}
	f.Path = f.chain(tasks)
	f.Floor = float64(f.Path) * f.Latency
}

// chain returns the length of the critical path: the dimension of the vectors, the calls
// of a chunk, a description, a report on each level, and the vectors of the last reports.
func (f *modelFigure) chain(tasks map[string]taskFigure) int {
	n := f.Levels
	for _, name := range []string{prompts.Extract, prompts.GleanList} {
		if tasks[name].Calls > 0 {
			n++
		}
	}
	if tasks[prompts.Summarise].Calls > 0 {
		n++
	}
	if tasks[fakemodel.Embed].Calls > 0 {
		n += 2
	}
	return n
}

func (f *modelFigure) print(b *bench) {
	_, _ = fmt.Fprintf(b.w, "\n%s: %d calls of %.1f s, %d concurrently", f.Name, f.Calls, f.Latency, f.Concurrency)
	if f.Slots > 0 {
		_, _ = fmt.Fprintf(b.w, ", server accepts %d", f.Slots)
	}
	_, _ = fmt.Fprintf(b.w, "\n  %d nodes, %d edges", f.Nodes, f.Edges)
	_, _ = fmt.Fprintf(b.w, "\n  wall %.2f s, N x L / C %.2f s, ratio %.3f; %.1f concurrent calls; peak memory %.0f MB\n",
		f.Wall, f.Ideal, f.Ratio, f.InFlight, f.PeakMB)
	_, _ = fmt.Fprintf(b.w, "  CPU: %.1f s of the program, %.1f s of Neo4j and other processes, %.1f s of the simulated model\n", f.CPU, f.StoreCPU, f.ModelCPU)
	_, _ = fmt.Fprintf(b.w, "  critical path: %d calls in a row (dimension, chunk, description, %d levels of reports, vectors): no less than %.1f s\n", f.Path, f.Levels, f.Floor)
	if f.Slots > 0 {
		_, _ = fmt.Fprintf(b.w, "  %d calls refused; %.1f %% after the first seconds\n", f.Refused, f.RefusedLate)
	}
	if f.Failed > 0 {
		_, _ = fmt.Fprintf(b.w, "  %d items failed, the first one: %s\n", f.Failed, f.Failure)
	}
	for _, s := range f.Stages {
		_, _ = fmt.Fprintf(b.w, "  %-9s %6.2f s  %6d done  %5d calls\n", s.Name, s.Seconds, s.Done, s.Calls)
	}
	for _, p := range f.Phases {
		_, _ = fmt.Fprintf(b.w, "  %-12s from %6.2f s to %6.2f s; idle slots: %5.2f s\n", p.Name, p.From, p.To, p.Lost)
	}
	for _, t := range f.Tasks {
		_, _ = fmt.Fprintf(b.w, "    %-10s %5d calls from %6.2f s to %6.2f s\n", t.Task, t.Calls, t.First, t.Last)
	}
}

// depth returns the number of levels of communities.
func (b *bench) depth(ctx context.Context, corpus string) (int, error) {
	run, err := b.exec(ctx, "status", "--corpus", corpus, "--json")
	if err != nil {
		return 0, err
	}
	var s struct {
		Levels []json.RawMessage `json:"communities"`
	}
	if err := json.Unmarshal(run.out, &s); err != nil {
		return 0, fmt.Errorf("read status: %w", err)
	}
	return len(s.Levels), nil
}
