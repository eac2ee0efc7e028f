package wait_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

func TestFor(t *testing.T) {
	t.Parallel()
	if err := wait.For(t.Context(), 0); err != nil {
		t.Errorf("a time of zero: %v", err)
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if err := wait.For(ctx, time.Hour); !errors.Is(err, stopped) {
		t.Errorf("a context that ended: %v, want its cause", err)
	}
}
