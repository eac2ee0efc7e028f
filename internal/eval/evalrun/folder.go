package evalrun

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// Errors that callers decide on.
var (
	// ErrInUse means that another process writes to the folder.
	ErrInUse = errors.New("another process writes to this evaluation")
	// ErrNoRun means that a folder holds no evaluation.
	ErrNoRun = errors.New("no evaluation")
)

// A Folder is an evaluation.
type Folder struct {
	Dir        string
	Questions  *Cells[Question]
	Conditions *Cells[Condition]
	Answers    *Cells[Answer]
	Judgements *Cells[Judgement]
	Verdicts   *Cells[Verdict]
	Claims     *Cells[Claims]
	Searches   *Cells[Search]
	failures   *Cells[Failure]
	lock       *os.File
}

// Create opens a folder for writing, and makes it if there is none. One process can write to it at
// a time.
func Create(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make folder of the evaluation: %w", err)
	}
	lock, err := userfile.TryLock(filepath.Join(dir, ".lock"))
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if lock == nil {
		return nil, fmt.Errorf("%w: %s", ErrInUse, dir)
	}
	f, err := open(dir, true)
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	f.lock = lock
	return f, nil
}

// Open opens a folder for reading, also while another process writes to it.
func Open(dir string) (*Folder, error) {
	if _, err := os.Stat(filepath.Join(dir, "questions.jsonl")); err != nil {
		return nil, fmt.Errorf("%w in %s: `neorag eval questions` or `neorag eval answer` begins one", ErrNoRun, dir)
	}
	return open(dir, false)
}

func open(dir string, write bool) (*Folder, error) {
	f := &Folder{Dir: dir}
	var errs [8]error
	f.Questions, errs[0] = openCells[Question](dir, "questions", write)
	f.Conditions, errs[1] = openCells[Condition](dir, "conditions", write)
	f.Answers, errs[2] = openCells[Answer](dir, "answers", write)
	f.Judgements, errs[3] = openCells[Judgement](dir, "judgements", write)
	f.Verdicts, errs[4] = openCells[Verdict](dir, "verdicts", write)
	f.Claims, errs[5] = openCells[Claims](dir, "claims", write)
	f.Searches, errs[6] = openCells[Search](dir, "searches", write)
	f.failures, errs[7] = openCells[Failure](dir, "failures", write)
	if err := errors.Join(errs[:]...); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the files.
func (f *Folder) Close() error {
	var errs []error
	for _, c := range []io.Closer{f.Questions, f.Conditions, f.Answers, f.Judgements, f.Verdicts, f.Claims, f.Searches, f.failures} {
		errs = append(errs, c.Close())
	}
	if f.lock != nil {
		errs = append(errs, f.lock.Close())
	}
	return errors.Join(errs...)
}

// Fail notes that a cell could not be made.
func (f *Folder) Fail(kind, cell string, err error) error {
	return f.failures.Add(Failure{Kind: kind, Cell: cell, Error: err.Error()})
}

// Failures returns, by the key of the cell, the last error of each cell that is still missing.
func (f *Folder) Failures() map[string]Failure {
	has := map[string]interface{ Has(string) bool }{
		"questions": f.Questions, "answers": f.Answers, "judgements": f.Judgements, "verdicts": f.Verdicts, "claims": f.Claims,
		"searches": f.Searches,
	}
	out := map[string]Failure{}
	for _, failure := range f.failures.All() {
		if cells := has[failure.Kind]; cells == nil || !cells.Has(failure.Cell) {
			out[failure.Cell] = failure
		}
	}
	return out
}
