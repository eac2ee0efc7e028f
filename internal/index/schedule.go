package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// errBudgetSpent ends a stage that waits for one whose budget is spent.
var errBudgetSpent = fmt.Errorf("a stage before this one: %w", llm.ErrBudget)

// schedule runs the stages, each as soon as those that it depends on have ended, so
// that calls of models overlap with writes. Without a model there is nothing to wait
// for, and the stages run one after the other. The first error ends all.
func (r *run) schedule(ctx context.Context, specs []stageSpec) error {
	r.stageDone, r.budgetSpent = map[string]chan struct{}{}, make(chan struct{})
	r.started, r.expected = map[string]*stage{}, map[string]int{}
	for _, s := range specs {
		r.stageDone[s.name] = make(chan struct{})
	}
	g, gctx := errgroup.WithContext(ctx)
	if !r.overlaps() {
		g.SetLimit(1)
	}
	used := r.Meter.Tasks()
	stages := make([]*stage, len(specs))
	for i, spec := range specs {
		g.Go(func() error {
			after := spec.after
			if spec.name == "extract" && r.documentsWritten != nil {
				after = nil // chunks are extracted while other documents are written
			}
			for _, before := range after {
				if err := r.awaitStage(gctx, before); errors.Is(err, llm.ErrBudget) {
					return nil
				} else if err != nil {
					return err
				}
			}
			if err := context.Cause(gctx); err != nil {
				return err
			}
			stages[i] = r.begin(spec.name)
			defer stages[i].finish()
			err := r.runStage(gctx, spec, stages[i])
			if errors.Is(err, llm.ErrBudget) {
				return r.stopForBudget(err) // the other stages finish the calls in flight
			}
			if err != nil {
				return fmt.Errorf("%s: %w", spec.name, err)
			}
			close(r.stageDone[spec.name])
			return nil
		})
	}
	err := g.Wait()
	now := r.Meter.Tasks()
	for i, s := range stages {
		if s == nil {
			continue
		}
		if task := specs[i].task; task != "" {
			n, b := now[task], used[task]
			s.res.Calls, s.res.TokensIn, s.res.TokensOut, s.res.Cost = n.Calls-b.Calls, n.TokensIn-b.TokensIn, n.TokensOut-b.TokensOut, n.Cost-b.Cost
		}
		s.res.Writes = s.writer.Counters().Total()
		if s.res.Name == "embed" && r.reportVectors != nil {
			s.res.Done, s.res.Failed, s.res.Writes = s.res.Done+r.reportVectors.res.Done, s.res.Failed+r.reportVectors.res.Failed, s.res.Writes+r.reportVectors.writer.Counters().Total()
		}
		r.result.Stages = append(r.result.Stages, s.res)
	}
	r.sortFailures(specs)
	return err
}

// runStage runs one stage. A panic in it is returned as an error.
func (r *run) runStage(ctx context.Context, spec stageSpec, counts *stage) (err error) {
	ctx, end := r.Observe(ctx, spec.name)
	defer func() { end(err) }()
	return panicerr.Catch(func() error {
		if spec.artifact != "" && !r.has(spec.artifact) {
			return r.dropLeftovers(ctx, spec)
		}
		if err := spec.run(neo4jstore.WithTimeLimit(ctx, r.TimeLimits[spec.name]), counts); err != nil {
			return err
		}
		return context.Cause(ctx)
	})
}

// overlaps reports whether stages run concurrently: if any model is used.
func (e *effective) overlaps() bool {
	_, vectors := e.Embedder.(*ModelEmbedder)
	return e.Model != nil || vectors
}

// awaitStage waits for the end of a stage. It returns immediately if the stage is not
// part of this run, and returns ErrBudget if the budget is spent first.
func (r *run) awaitStage(ctx context.Context, name string) error {
	if r.stageDone[name] == nil {
		return nil
	}
	select {
	case <-r.stageDone[name]:
		return nil
	default:
	}
	select {
	case <-r.stageDone[name]:
		return nil
	case <-r.budgetSpent:
		return errBudgetSpent
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sortFailures sorts failures by stage and key. Those found while comparing documents
// come first.
func (r *run) sortFailures(specs []stageSpec) {
	place := map[string]int{}
	for i, s := range specs {
		place[s.name] = i + 1
	}
	slices.SortStableFunc(r.result.Failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(place[a.Stage], place[b.Stage]), cmp.Compare(a.Key, b.Key))
	})
}
