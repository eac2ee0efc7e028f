package evalrun_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// answersTo returns a job that makes n answers.
func answersTo(f *evalrun.Folder, n, limit int, fails func(ctx context.Context, i int) error) evalrun.Job[evalrun.Answer] {
	job := evalrun.Job[evalrun.Answer]{Kind: "answers", Cells: f.Answers, Limit: limit}
	for i := range n {
		job.Keys = append(job.Keys, evalrun.AnswerKey("c", strconv.Itoa(i)))
	}
	job.Make = func(ctx context.Context, i int) (evalrun.Answer, error) {
		return evalrun.Answer{Condition: "c", Question: strconv.Itoa(i), Text: fmt.Sprint("answer ", i)}, fails(ctx, i)
	}
	return job
}

// TestRunMakesWhatIsMissing fails every third cell, and expects that a second run makes those and
// only those.
func TestRunMakesWhatIsMissing(t *testing.T) {
	f := create(t, t.TempDir())
	defer func() { _ = f.Close() }()
	count, err := evalrun.Run(t.Context(), f, answersTo(f, 10, 4, func(_ context.Context, i int) error {
		if i%3 == 0 {
			return fmt.Errorf("question %d", i)
		}
		return nil
	}))
	if want := (evalrun.Count{Cells: 10, Made: 6, Failed: 4}); err != nil || count != want {
		t.Errorf("first run: %+v, %v, want %+v", count, err, want)
	}
	if n := len(f.Failures()); n != 4 {
		t.Errorf("%d failures, want 4", n)
	}
	var again []int
	job := answersTo(f, 10, 1, func(_ context.Context, i int) error {
		again = append(again, i)
		return nil
	})
	var progress [][2]int
	job.Progress = func(done, total int) { progress = append(progress, [2]int{done, total}) }
	count, err = evalrun.Run(t.Context(), f, job)
	if want := (evalrun.Count{Cells: 10, Made: 4}); err != nil || count != want {
		t.Errorf("second run: %+v, %v, want %+v", count, err, want)
	}
	if diff := cmp.Diff([]int{0, 3, 6, 9}, again); diff != "" {
		t.Errorf("made by the second run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][2]int{{6, 10}, {7, 10}, {8, 10}, {9, 10}, {10, 10}}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if n, failed := len(f.Answers.All()), len(f.Failures()); n != 10 || failed != 0 {
		t.Errorf("%d answers and %d failures, want 10 and 0", n, failed)
	}
}

// TestRunEnds expects that an error after which no cell can be made begins no other cell, is no
// failure of its cell, and lets the cells finish that were begun.
func TestRunEnds(t *testing.T) {
	f := create(t, t.TempDir())
	defer func() { _ = f.Close() }()
	synctest.Test(t, func(t *testing.T) {
		spent := errors.New("the budget is spent")
		begun := make(chan struct{})
		job := answersTo(f, 50, 2, func(_ context.Context, i int) error {
			switch i {
			case 0:
				close(begun)
				synctest.Wait() // until the run waits for this cell alone
			case 1:
				<-begun
				return spent
			}
			return nil
		})
		job.Ends = func(err error) bool { return errors.Is(err, spent) }
		count, err := evalrun.Run(t.Context(), f, job)
		if want := (evalrun.Count{Cells: 50, Made: 1}); !errors.Is(err, spent) || count != want || len(f.Failures()) != 0 {
			t.Errorf("%+v, %v and %d failures, want %+v", count, err, len(f.Failures()), want)
		}
		if !f.Answers.Has(job.Keys[0]) || f.Answers.Has(job.Keys[1]) {
			t.Error("the cell that was begun before is missing, or the one that ended the run is there")
		}
	})
}

// TestRunIsCancelled expects that cells which a cancelled context ends have not failed.
func TestRunIsCancelled(t *testing.T) {
	f := create(t, t.TempDir())
	defer func() { _ = f.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	count, err := evalrun.Run(ctx, f, answersTo(f, 50, 3, func(ctx context.Context, i int) error {
		if i == 5 {
			cancel()
		}
		if i >= 5 {
			<-ctx.Done()
		}
		return ctx.Err()
	}))
	if !errors.Is(err, context.Canceled) || count.Made > 5 || count.Failed != 0 || len(f.Failures()) != 0 {
		t.Errorf("%+v, %v and %d failures", count, err, len(f.Failures()))
	}
}

// TestRunLimit has three cells wait for each other, and counts those that are made at the same time.
func TestRunLimit(t *testing.T) {
	f := create(t, t.TempDir())
	defer func() { _ = f.Close() }()
	var now atomic.Int64
	var three sync.WaitGroup
	three.Add(3)
	_, err := evalrun.Run(t.Context(), f, answersTo(f, 9, 3, func(_ context.Context, i int) error {
		n := now.Add(1)
		defer now.Add(-1)
		if i < 3 {
			three.Done()
			three.Wait()
		}
		if n > 3 {
			t.Errorf("%d cells at the same time", n)
		}
		return nil
	}))
	if err != nil {
		t.Error(err)
	}
}

// TestConditionNames checks the names of conditions in tables.
func TestConditionNames(t *testing.T) {
	c := evalrun.Condition{Method: "global", Settings: map[string]string{"level": "0", "dynamic": "true"}}
	labelled := c
	labelled.Label = "C0"
	got := []string{c.Name(), c.Variant(), labelled.Name(), labelled.Variant()}
	want := []string{"global dynamic=true level=0", "global dynamic=true level=0", "C0", "global dynamic=true level=0"}
	if !slices.Equal(got, want) || c.Key() != labelled.Key() {
		t.Errorf("names %q, want %q; keys %s and %s", got, want, c.Key(), labelled.Key())
	}
}
