package calllog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/calllog"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	refusal := func(status int) error { return &llm.Error{Status: status} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, calllog.KindNone},
		{fmt.Errorf("chat: %w", llm.ErrBudget), calllog.KindBudget},
		{context.Canceled, calllog.KindCanceled},
		{&llm.Error{Retryable: true, Cause: context.DeadlineExceeded}, calllog.KindTimeout},
		{&llm.AnswerError{Kind: llm.ErrTruncated}, calllog.KindTruncated},
		{&llm.AnswerError{Kind: llm.ErrInvalid}, calllog.KindInvalid},
		{fmt.Errorf("gave up: %w", refusal(0)), calllog.KindUnreachable},
		{refusal(429), calllog.KindRateLimit},
		{refusal(529), calllog.KindRateLimit},
		{refusal(503), calllog.KindServerError},
		{refusal(404), calllog.KindRefused},
		{refusal(200), calllog.KindOther},
		{errors.New("x"), calllog.KindOther},
	} {
		if got := calllog.KindOf(c.err); got != c.want {
			t.Errorf("KindOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}

// TestConcurrentLogs writes lines from two logs of one file: no line is torn.
func TestConcurrentLogs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	const each = 200
	var g errgroup.Group
	for range 2 {
		log, err := calllog.Open(path, true, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		observe := log.Observer("example.org")
		g.Go(func() error {
			for range each {
				observe(t.Context(), llm.Call{Start: time.Now(), Response: llm.Response{Text: string(bytes.Repeat([]byte("x"), 5000))}})
			}
			return log.Close()
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	for _, line := range lines {
		if !json.Valid(line) {
			t.Fatalf("not JSON: %.200s", line)
		}
	}
	if len(lines) != 2*each {
		t.Errorf("%d lines, want %d", len(lines), 2*each)
	}
}

// TestWriteErrors warns of the first error of writing only, and returns it at the end: a call is paid
// for, and its answer is used, whether or not it can be logged.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	var errs []error
	log, err := calllog.Open("/dev/full", false, func(err error) { errs = append(errs, err) })
	if err != nil {
		t.Skip(err) // not every system has it
	}
	for range 3 {
		log.Observer("example.org")(t.Context(), llm.Call{})
	}
	if len(errs) != 1 {
		t.Fatalf("errors %v, want one", errs)
	}
	if err := log.Close(); !errors.Is(err, errs[0]) {
		t.Errorf("Close() = %v, want %v", err, errs[0])
	}
}

// TestIncompleteLine appends to a file that a full disk cut off.
func TestIncompleteLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(path, []byte(`{"time":"2026`), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := calllog.Open(path, false, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		log.Observer("example.org")(t.Context(), llm.Call{})
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(lines) != 3 || !json.Valid([]byte(lines[1])) || !json.Valid([]byte(lines[2])) {
		t.Errorf("the lines are %q", lines)
	}
}
