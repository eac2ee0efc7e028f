package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"pgregory.net/rapid"
)

func TestVersionFits(t *testing.T) {
	for version, want := range map[string]bool{
		"5.26.30": true, "5.26.0": true, "5.27.0-aura": true, "2025.10.1": true, "5.25.1": false, "4.4.40": false, "5.26-rc1": true, "": false,
	} {
		if got := supportsVersion(version); got != want {
			t.Errorf("versionFits(%q) = %v", version, got)
		}
	}
}

func TestErrorsAreClassified(t *testing.T) {
	server := func(code, message string) error { return &neo4j.Neo4jError{Code: code, Msg: message} }
	tests := []struct {
		err       error
		is        error
		transient bool
	}{
		{server("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "x"), ErrMemory, false},
		{server("Neo.TransientError.Transaction.TransactionMemoryLimit", "x"), ErrMemory, false},
		{server("Neo.DatabaseError.Transaction.TransactionCommitFailed", "java.io.IOException: No space left on device"), ErrDiskFull, false},
		{server("Neo.TransientError.General.DatabaseUnavailable", "No space left on device"), ErrDiskFull, false},
		{server("Neo.ClientError.Security.Forbidden", "x"), ErrForbidden, false},
		{server("Neo.ClientError.Transaction.TransactionTimedOut", "x"), errTooLong, false},
		{server("Neo.TransientError.Transaction.DeadlockDetected", "x"), nil, true},
		{server("Neo.TransientError.General.DatabaseUnavailable", "x"), nil, true},
		{server("Neo.ClientError.Statement.SyntaxError", "x"), nil, false},
		{&neo4j.ConnectivityError{}, ErrUnreachable, true},
		{context.Canceled, context.Canceled, false},
	}
	for _, test := range tests {
		err := fmt.Errorf("statement x: %w", classify(test.err))
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("classify(%v) is not %v", test.err, test.is)
		}
		if got := isTransient(err); got != test.transient {
			t.Errorf("transient(%v) = %v", err, got)
		}
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	for code, says := range map[string]string{
		"Neo.ClientError.Security.Unauthorized":            "check NEO4J_USERNAME",
		"Neo.ClientError.Security.AuthenticationRateLimit": "wait",
		"Neo.ClientError.Security.CredentialsExpired":      "changed first",
		"Neo.ClientError.Security.Forbidden":               "role",
		"Neo.ClientError.Database.DatabaseNotFound":        `"db"`,
	} {
		err := openError(classify(&neo4j.Neo4jError{Code: code, Msg: "x"}), "host:1", "db", "user")
		if !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", code, err, says)
		}
	}
}

func TestRetryGivesUpOnWhatStays(t *testing.T) {
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
		t.Errorf("a deadlock that passes: %v after %d tries", err, tries)
	}
	tries = 0
	err = retry(t.Context(), logger, nil, func() error { tries++; return ErrMemory })
	if !errors.Is(err, ErrMemory) || tries != 1 {
		t.Errorf("too little memory: %v after %d tries, want one", err, tries)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := retry(ctx, logger, nil, func() error { return deadlock }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadlock that stays: %v, want the end of the context", err)
	}
}

// However many rows pass at once, all are written once and in order.
func TestBatchesHalve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.IntRange(1, 9), 0, 60).Draw(t, "weights")
		limit, passes := rapid.IntRange(1, 40).Draw(t, "limit"), rapid.IntRange(1, 8).Draw(t, "passes")
		var rows, written []int
		for i := range weights {
			rows = append(rows, i)
		}
		err := batches(rows, limit, func(i int) int { return weights[i] }, func(part []int) error {
			sum := 0
			for _, i := range part {
				sum += weights[i]
			}
			if len(part) > 1 && sum > limit {
				t.Fatalf("%d rows weigh %d, more than %d", len(part), sum, limit)
			}
			if len(part) > passes {
				return fmt.Errorf("%w: %d rows", ErrMemory, len(part))
			}
			written = append(written, part...)
			return nil
		})
		if diff := cmp.Diff(rows, written); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	})
	err := batches([]int{1, 2, 3}, 10, countRow, func([]int) error { return ErrMemory })
	if !errors.Is(err, ErrMemory) {
		t.Errorf("a row that is too large alone: %v, want ErrMemory", err)
	}
}

func TestCaption(t *testing.T) {
	for _, test := range []struct {
		text       string
		start, end int
		want       string
	}{
		{"", 0, 0, ""}, {"one  two\nthree", 0, 14, "one two…"}, {"one two", 4, 7, "two"}, {"ä ö ü ß é à è", 0, 20, "ä ö ü ß…"},
		{"one", -1, 3, ""}, {"one", 2, 1, ""}, {"one", 0, 4, ""}, {"ää", 1, 4, "ä"},
	} {
		if got := caption(test.text, test.start, test.end, 10); got != test.want {
			t.Errorf("caption(%q, %d, %d) = %q, want %q", test.text, test.start, test.end, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(1, 20).Draw(t, "n")
		got := caption(text, rapid.IntRange(-1, 9).Draw(t, "start"), rapid.IntRange(-1, 30).Draw(t, "end"), n)
		if utf8.RuneCountInString(got) > n || !utf8.ValidString(got) {
			t.Fatalf("caption = %q", got)
		}
	})
}

func TestMetaName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"From", "meta_from"},
		{" X-Mailer ", "meta_x_mailer"},
		{"Größe", "meta_gr__e"},
		{"a`b", "meta_a_b"},
		{"", "meta_"},
	} {
		if got := metaName(tt.name); got != tt.want {
			t.Errorf("metaName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCitedNumbers(t *testing.T) {
	for text, want := range map[string]map[int]bool{
		"none":                   {},
		"one [1], two [2, 3].":   {1: true, 2: true, 3: true},
		"[x] [4 5 [6] [] [7":     {6: true},
		"[12][13] a[0] [see 14]": {12: true, 13: true, 0: true},
	} {
		if diff := cmp.Diff(want, citedNumbers(text)); diff != "" {
			t.Errorf("citedNumbers(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestIndexesAreCompared(t *testing.T) {
	meant := corpusIndexes("news", 8)
	shown := map[string]index{}
	for _, x := range meant {
		x.state = "ONLINE"
		shown[x.name] = x
	}
	if missing, err := missingIndexes(meant, shown); err != nil || len(missing) > 0 {
		t.Errorf("all stand: %v missing, %v", missing, err)
	}
	for name, change := range map[string]func(*index){
		"analyzer": func(x *index) { x.analyzer = "english" }, "properties": func(x *index) { x.properties = []string{"text"} },
		"labels": func(x *index) { x.labels = []string{"Chunk_news"} }, "type": func(x *index) { x.kind = rangeIndex }, "FAILED": func(x *index) { x.state = "FAILED" },
	} {
		x := shown["terms_news"]
		change(&x)
		changed := maps.Clone(shown)
		changed["terms_news"] = x
		if _, err := missingIndexes(meant, changed); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "terms_news") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := missingIndexes(corpusIndexes("news", 9), shown); !errors.Is(err, ErrDimension) {
		t.Errorf("another dimension: %v, want ErrDimension", err)
	}
	delete(shown, "lead_news")
	if missing, err := missingIndexes(meant, shown); err != nil || len(missing) != 1 || missing[0].name != "lead_news" {
		t.Errorf("lead_news is missing: %v, %v", missing, err)
	}
}
