package panicerr

import (
	"errors"
	"strings"
	"testing"
)

func assign(m map[string]int) { m["a"] = 1 }

func TestCatch(t *testing.T) {
	want := errors.New("broken")
	if got := Catch(func() error { return want }); !errors.Is(got, want) {
		t.Errorf("Catch of an error: %v, want %v", got, want)
	}
	if got := Catch(func() error { return nil }); got != nil {
		t.Errorf("Catch of nil: %v", got)
	}
	err := Catch(func() error { assign(nil); return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "panic: assignment to entry in nil map\n") || !strings.Contains(err.Error(), "TestCatch") {
		t.Errorf("Catch of a panic: %v, want its value and its stack", err)
	}
}
