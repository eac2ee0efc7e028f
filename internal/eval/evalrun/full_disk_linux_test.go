package evalrun_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/testkit/disktest"
)

// TestFullDisk adds records until the disk is full, in the middle of a line, and continues once
// there is space: no line is incomplete.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disktest.Run(t, disktest.MB, func(t *testing.T, d *disktest.Disk) {
		dir := d.Dir + "/run"
		f, err := evalrun.Create(dir)
		if err != nil {
			t.Fatal(err)
		}
		filler := d.Fill()
		d.Resize(disktest.MB + 8<<10)
		want := 0
		for ; err == nil && want < 10; want++ {
			err = f.Questions.Add(evalrun.Question{ID: strconv.Itoa(want), Text: strings.Repeat("Who? ", 700) + strconv.Itoa(want)})
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("the disk is not full: %v", err)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Questions.Add(evalrun.Question{ID: "last", Text: "Who was last?"}), f.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := evalrun.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(again.Questions.All()); got != want {
			t.Errorf("%d questions, want %d", got, want)
		}
	})
}
