package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

// stepRepeats is how often the whole step is measured. The median is reported.
const stepRepeats = 15

// measureIndexStep measures what an index run does between reading the snapshot and
// writing the hierarchy: build the graph, cluster it, and give keys, parents and labels.
func measureIndexStep(ctx context.Context, name string, n *network) (figure, error) {
	keys := make([]string, n.nodes)
	for i := range keys {
		keys[i] = fmt.Sprintf("entity:bench:%09d", i)
	}
	times := make([]float64, stepRepeats)
	found := 0
	for i := range times {
		runtime.GC()
		start := time.Now()
		g, err := n.build(ctx)
		if err != nil {
			return figure{}, err
		}
		all, _, err := community.Detect(ctx, "bench", community.Snapshot{Keys: keys, Graph: g}, nil, community.Options{})
		if err != nil {
			return figure{}, err
		}
		times[i], found = milliseconds(time.Since(start)), len(all)
	}
	const most = 31
	return figure{
		What: name + ": from the snapshot in memory to communities with keys, parents and labels, as in an index run", Must: fmt.Sprintf("under %d ms", most),
		Found: fmt.Sprintf("%.1f ms for %d communities", median(times), found), Holds: median(times) < most,
	}, nil
}

// measureCancellation measures how long a hierarchy takes to return after its context was
// cancelled, at several points of its run.
func measureCancellation(ctx context.Context, name string, g *leiden.Graph) (figure, error) {
	const points = 12
	worst := time.Duration(0)
	for _, workers := range []int{1, 2} {
		o := leiden.Options{Workers: workers}
		start := time.Now()
		if _, err := leiden.BuildHierarchy(ctx, g, o); err != nil {
			return figure{}, err
		}
		whole := time.Since(start)
		for i := range points {
			late, err := lateness(ctx, g, o, whole*time.Duration(i)/points)
			if err != nil {
				return figure{}, err
			}
			worst = max(worst, late)
		}
	}
	const most = 100
	return figure{
		What: fmt.Sprintf("%s: longest time until a cancelled hierarchy returns, at %d points with 1 and 2 workers, best of three each", name, points), Must: fmt.Sprintf("under %d ms", most),
		Found: fmt.Sprintf("%.0f ms", milliseconds(worst)), Holds: milliseconds(worst) < most,
	}, nil
}

// lateness returns how long a hierarchy takes to return after its context has ended, the
// best of three tries, because other programs may use the processor.
func lateness(ctx context.Context, g *leiden.Graph, o leiden.Options, after time.Duration) (time.Duration, error) {
	least := time.Duration(math.MaxInt64)
	for range 3 {
		bounded, cancel := context.WithTimeout(ctx, after)
		deadline := time.Now().Add(after)
		_, err := leiden.BuildHierarchy(bounded, g, o)
		late := time.Since(deadline)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return 0, err
		}
		least = min(least, max(late, 0)) // it may have finished earlier
	}
	return least, nil
}

// measureWarmStart measures clustering from the previous partition after some edges were
// removed.
func measureWarmStart(ctx context.Context, name string, n *network) (figure, error) {
	g, err := n.build(ctx)
	if err != nil {
		return figure{}, err
	}
	flat := g.Nodes() + 1 // a maximum size with which no community is split
	before, err := leiden.BuildHierarchy(ctx, g, leiden.Options{MaxSize: flat})
	if err != nil {
		return figure{}, err
	}
	const changes = 100
	changed := *n
	changed.ends, changed.weights = n.ends[2*changes:], n.weights[changes:]
	if g, err = changed.build(ctx); err != nil {
		return figure{}, err
	}
	clock := func(o leiden.Options) (float64, error) {
		times := make([]float64, 5)
		for i := range times {
			runtime.GC()
			start := time.Now()
			if _, err := leiden.BuildHierarchy(ctx, g, o); err != nil {
				return 0, err
			}
			times[i] = milliseconds(time.Since(start))
		}
		return median(times), nil
	}
	cold, err := clock(leiden.Options{MaxSize: flat, Effort: leiden.Fast})
	if err != nil {
		return figure{}, err
	}
	again, err := clock(leiden.Options{MaxSize: flat, Start: &leiden.Start{Levels: levelsOf(before, g.Nodes())}})
	if err != nil {
		return figure{}, err
	}
	return figure{
		What: fmt.Sprintf("%s: start from the previous partition after %d edges were removed", name, changes), Must: "less than fast from scratch",
		Found: fmt.Sprintf("%.1f ms, from scratch %.1f", again, cold), Holds: again < cold,
	}, nil
}
