package terminal

import (
	"bytes"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A stage in which nothing changes says what it waits for, in the log at most every ten seconds.
func TestProgressWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
		var stalled atomic.Bool
		stalled.Store(true)
		p := NewProgress(&out, log, false, func() string {
			if stalled.Load() {
				return "a server"
			}
			return ""
		})
		if err := p.While(func() error {
			p.Update(Stage{Stage: "chunk", Done: 3, Total: 3})
			p.Update(Stage{Stage: "extract", Done: 28, Total: 168, Failed: 1})
			time.Sleep(25 * time.Second)
			stalled.Store(false)
			time.Sleep(time.Minute)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		line := "level=INFO msg=progress stage=extract done=28 total=168 failed=1 seconds=0 waiting=\"a server\"\n"
		if got, want := out.String(), line+line; got != want {
			t.Errorf("got:\n%swant:\n%s", got, want)
		}
	})
}

// On a terminal the line is redrawn every two seconds while nothing changes.
func TestProgressWhileWaitingOnTerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := NewProgress(&out, nil, false, func() string { return "a server" })
		p.isTerminal, p.width = true, 80
		if err := p.While(func() error {
			time.Sleep(3 * time.Second)
			p.Update(Stage{Stage: "extract", Done: 1, Total: 3, Elapsed: time.Second})
			time.Sleep(4 * time.Second)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		p.Close()
		const start = "\r\x1b[K"
		want := start + "waiting for a server" + start + "extract   1/3  1/s  2s left" + start + "extract   1/3  waiting for a server; 2 left\n"
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestStageString(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   Stage
		want string
	}{
		{Stage{Stage: "embed", Done: 50, Total: 200, Elapsed: 10 * time.Second}, "embed     50/200  5/s  30s left"},
		{Stage{Stage: "extract", Done: 8, Total: 9, Failed: 1, Elapsed: 2 * time.Second, Ended: true}, "extract   8/9  4/s  1 failed  2.0 s"},
		{Stage{Stage: "extract", Done: 6, Total: 10, Failed: 2, Elapsed: 8 * time.Second}, "extract   6/10  1/s  2 failed  2s left"},
		{Stage{Stage: "extract", Done: 28, Total: 168, Elapsed: time.Second, Waiting: "12 calls in flight"}, "extract   28/168  waiting for 12 calls in flight; 140 left"},
	}
	for _, tt := range tests {
		if got := tt.in.String(); got != tt.want {
			t.Errorf("%#v: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
