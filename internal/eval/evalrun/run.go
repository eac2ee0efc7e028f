package evalrun

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Job makes the cells of one file that are missing.
type Job[R Record] struct {
	Kind  string    // name of the file, for failures
	Cells *Cells[R] // of the folder
	Keys  []string  // of all cells, in the order in which they are begun
	Limit int       // cells that are made at the same time; 0 means 1
	// Make makes the cell of Keys[i].
	Make func(ctx context.Context, i int) (R, error)
	// Ends reports whether it is pointless to begin another cell after an error; the cell has not
	// failed then. Nil means never.
	Ends func(error) bool
	// Progress, unless nil, is called with the number of cells that are there or have failed.
	Progress func(done, total int)
}

// A Count is what became of the cells of a Job.
type Count struct {
	Cells  int `json:"cells"`  // that the command asks for
	Made   int `json:"made"`   // now
	Failed int `json:"failed"` // now; the next run makes them
}

// Missing is the number of cells that are not there, failed ones included.
func (j Job[R]) Missing() int {
	n := 0
	for _, key := range j.Keys {
		if !j.Cells.Has(key) {
			n++
		}
	}
	return n
}

// Run makes the cells that are missing. A cell that cannot be made is noted as a failure of the
// folder, and the others are made. The error is one that ended the run; cells that were begun
// before it are finished, unless the context ends.
func Run[R Record](ctx context.Context, f *Folder, j Job[R]) (Count, error) {
	r := runner[R]{Job: j, folder: f, count: Count{Cells: len(j.Keys)}, done: len(j.Keys) - j.Missing()}
	if j.Progress != nil {
		j.Progress(r.done, r.count.Cells)
	}
	var g errgroup.Group
	g.SetLimit(max(1, j.Limit))
	for i, key := range j.Keys {
		if ctx.Err() != nil || r.ended() != nil {
			break
		}
		if !j.Cells.Has(key) {
			g.Go(func() error {
				r.make(ctx, i)
				return nil
			})
		}
	}
	_ = g.Wait() // errors are kept by the runner
	if ctx.Err() != nil {
		return r.count, ctx.Err()
	}
	return r.count, r.ended()
}

// A runner is a Job that runs.
type runner[R Record] struct {
	Job[R]

	folder *Folder
	mu     sync.Mutex
	count  Count
	done   int
	end    error
}

// ended returns the error that ended the run, or nil.
func (r *runner[R]) ended() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// make makes one cell, unless the run ended while it waited for its turn.
func (r *runner[R]) make(ctx context.Context, i int) {
	if r.ended() != nil || ctx.Err() != nil {
		return
	}
	made, err := r.Make(ctx, i)
	ends := err != nil && r.Ends != nil && r.Ends(err)
	switch {
	case err != nil && ctx.Err() != nil:
		return
	case err == nil:
		err = r.Cells.Add(made)
		ends = err != nil
	case !ends:
		if ferr := r.folder.Fail(r.Kind, r.Keys[i], err); ferr != nil {
			err, ends = ferr, true
		}
	}
	r.record(err, ends)
}

// record counts a cell.
func (r *runner[R]) record(err error, ends bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case ends:
		if r.end == nil {
			r.end = err
		}
		return
	case err != nil:
		r.count.Failed++
	default:
		r.count.Made++
	}
	r.done++
	if r.Progress != nil {
		r.Progress(r.done, r.count.Cells)
	}
}
