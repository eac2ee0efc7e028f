package localneo4j

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestUpGivenUp ends the start halfway: no process may stay.
func TestUpGivenUp(t *testing.T) {
	o := options(t)
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	_, _, err := Up(ctx, o)
	if !errors.Is(err, ErrNotReady) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Up with little time = %v", err)
	}
	if _, err := os.Stat(statePath(o.Data)); err == nil {
		t.Error("a state file stays")
	}
	if _, err := os.Stat(filepath.Join(o.Data, "conf", "neo4j.conf")); err != nil {
		t.Errorf("the start did not get far enough for this test: %v", err)
	}
}

func TestPortOfAnotherProgram(t *testing.T) {
	o := options(t)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	o.HTTPPort = l.Addr().(*net.TCPAddr).Port
	_, _, err = Up(t.Context(), o)
	if !errors.Is(err, ErrPortInUse) || !strings.Contains(err.Error(), "--http-port") || !strings.Contains(err.Error(), "another program") {
		t.Errorf("Up on a port in use = %v", err)
	}
}

func TestHeapLargerThanMemory(t *testing.T) {
	o := options(t)
	o.HeapMB = 64 << 20
	_, _, err := Up(t.Context(), o)
	t.Log(err)
	if err == nil || !strings.Contains(err.Error(), "not enough free memory") {
		t.Errorf("Up with 64 TB of heap = %v", err)
	}
}
