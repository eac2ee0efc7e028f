package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestContextReader(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 20_000) // several blocks
	got, err := io.ReadAll(NewContextReader(t.Context(), strings.NewReader(text)))
	if string(got) != text || err != nil {
		t.Errorf("read %d of %d bytes, %v", len(got), len(text), err)
	}
}

func TestContextReaderEndsWithItsContext(t *testing.T) {
	t.Parallel()
	blocked, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	ctx, cancel := context.WithCancelCause(t.Context())
	r := NewContextReader(ctx, blocked)
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, stopped) {
		t.Errorf("got %v, want the cause of the context", err)
	}
}
