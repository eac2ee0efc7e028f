package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinesOfScript(t *testing.T) {
	t.Parallel()
	getenv := func(string) string { return "" }
	r, edited := NewLineReader(strings.NewReader("one\n\nthree"), io.Discard, getenv, nil, nil)
	if edited {
		t.Error("a script is edited")
	}
	var got []string
	for {
		line, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line)
	}
	if diff := cmp.Diff([]string{"one", "", "three"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	blocked, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, _ = NewLineReader(blocked, io.Discard, getenv, nil, nil)
	if _, err := r.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a blocked read ends with %v, want the error of the context", err)
	}
}

// TestInterruptClearsLine checks that Ctrl-C reaches the editor as the keys that delete
// a line.
func TestInterruptClearsLine(t *testing.T) {
	t.Parallel()
	got, err := io.ReadAll(keyboard{strings.NewReader("never asked\x03asked\r"), io.Discard})
	if want := []byte("never asked\x05\x15asked\r"); !bytes.Equal(got, want) || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestLongLine checks that a line that is too long is an error, and that the next one is read.
func TestLongLine(t *testing.T) {
	t.Parallel()
	fits, long := strings.Repeat("a", maxLine-2), strings.Repeat("b", 3*maxLine)
	r, _ := NewLineReader(strings.NewReader(fits+"\r\n"+long+"\nnext\n"+long), io.Discard, func(string) string { return "" }, nil, nil)
	for i, want := range []struct {
		line string
		err  error
	}{{fits, nil}, {"", ErrLongLine}, {"next", nil}, {"", ErrLongLine}, {"", io.EOF}} {
		if line, err := r.Next(t.Context()); line != want.line || !errors.Is(err, want.err) {
			t.Errorf("line %d is %d bytes with the error %v, want %d bytes with %v", i, len(line), err, len(want.line), want.err)
		}
	}
}
