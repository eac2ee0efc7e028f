package neo4jstore

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func TestRetryGivesUp(t *testing.T) {
	deadlock := &neo4j.Neo4jError{Code: "Neo.TransientError.Transaction.DeadlockDetected"}
	logger := slog.New(slog.DiscardHandler)
	tries := 0
	err := retry(t.Context(), logger, nil, func() error {
		if tries++; tries < 4 {
			return deadlock
		}
		return nil
	})
	if err != nil || tries != 4 {
		t.Errorf("a transient deadlock: %v after %d attempts", err, tries)
	}
	tries = 0
	err = retry(t.Context(), logger, nil, func() error { tries++; return ErrMemory })
	if !errors.Is(err, ErrMemory) || tries != 1 {
		t.Errorf("out of memory: %v after %d attempts, want one", err, tries)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := retry(ctx, logger, nil, func() error { return deadlock }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a permanent deadlock: %v, want the end of the context", err)
	}
}
