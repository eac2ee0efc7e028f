package neo4jtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Borrow returns a corpus without nodes, which may already have its indexes: the one
// that a test of any process returned last, those without indexes after the others,
// or else a new one. Creating and dropping the indexes of a corpus costs more than
// most tests do, and makes the server replan every statement. Corpora that need
// different indexes are borrowed for different uses. They are never dropped: the
// server is temporary.
func Borrow(tb testing.TB, use string) string {
	tb.Helper()
	return BorrowAs(tb, use, use)
}

// BorrowAs is Borrow for a test that changes the indexes of its corpus, so that it is
// returned for another use than it was borrowed for.
func BorrowAs(tb testing.TB, from, to string) string {
	tb.Helper()
	name := Keep(tb, from)
	conn := Server(tb)
	taken, back := filepath.Join(conn.Lent, "taken"), filepath.Join(conn.Lent, "free", to)
	if err := os.MkdirAll(back, 0o700); err != nil {
		tb.Fatalf("lend corpus: %v", err)
	}
	path := filepath.Join(taken, name)
	had, err := os.ReadFile(path)
	if err != nil {
		tb.Fatalf("lend corpus: %v", err)
	}
	tb.Cleanup(func() {
		has, err := wipe(context.Background(), conn, name)
		if err != nil {
			tb.Errorf("wipe corpus %s: %v", name, err)
			return
		}
		if len(had) > 0 && string(had) != has && !mayChangeIndexes(tb) {
			tb.Errorf("the indexes of a borrowed corpus changed, so that the server plans all statements again: call neo4jtest.ChangesIndexes\nbefore:\n%s\nafter:\n%s", had, has)
		}
		when := time.Now()
		if len(has) == 0 { // to be borrowed last
			when = time.Unix(0, 0)
		}
		if err := errors.Join(os.WriteFile(path, []byte(has), 0o600), os.Chtimes(path, time.Time{}, when), os.Rename(path, filepath.Join(back, name))); err != nil {
			tb.Errorf("return corpus: %v", err)
		}
	})
	return name
}

// Keep is Borrow for a corpus that is not returned, so that tests which only read can share
// what one of them indexed.
func Keep(tb testing.TB, use string) string {
	tb.Helper()
	conn := Server(tb)
	free, taken := filepath.Join(conn.Lent, "free", use), filepath.Join(conn.Lent, "taken")
	for _, dir := range []string{free, taken} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatalf("lend corpus: %v", err)
		}
	}
	await(tb, conn)
	name := take(tb, free, taken)
	if name != "" {
		return name
	}
	name = Corpus(tb)
	if err := os.WriteFile(filepath.Join(taken, name), nil, 0o600); err != nil {
		tb.Fatalf("lend corpus: %v", err)
	}
	return name
}

// announcement is the name of a file that exists while more corpora are being created.
const announcement = "announcement"

// announcementTimeout is how long a test waits for corpora that are being created.
const announcementTimeout = 2 * time.Minute

// Announce makes tests that borrow wait until kept is called, for two minutes at most.
func Announce(conn Conn) (kept func() error, err error) {
	path := filepath.Join(conn.Lent, announcement)
	if err := os.MkdirAll(conn.Lent, 0o700); err != nil {
		return nil, fmt.Errorf("announce corpora: %w", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return nil, fmt.Errorf("announce corpora: %w", err)
	}
	return func() error { return os.Remove(path) }, nil
}

// await waits while more corpora are being created.
func await(tb testing.TB, conn Conn) {
	tb.Helper()
	for range announcementTimeout / (100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(conn.Lent, announcement)); err != nil || tb.Context().Err() != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Lend makes new corpora, which have indexes and no nodes, available to Borrow. uses are
// their names, each with what it is for.
func Lend(ctx context.Context, conn Conn, uses map[string]string) error {
	has, err := indexes(ctx, conn, "")
	if err != nil {
		return fmt.Errorf("lend corpora: %w", err)
	}
	for corpus, use := range uses {
		free := filepath.Join(conn.Lent, "free", use)
		if err := os.MkdirAll(free, 0o700); err != nil {
			return fmt.Errorf("lend corpus: %w", err)
		}
		if err := os.WriteFile(filepath.Join(free, corpus), []byte(has[corpus]), 0o600); err != nil {
			return fmt.Errorf("lend corpus: %w", err)
		}
	}
	return nil
}

// take takes the corpus that was returned last, or returns "" if there is none. Of
// several processes that rename the same file, one succeeds.
func take(tb testing.TB, free, taken string) string {
	tb.Helper()
	entries, err := os.ReadDir(free)
	if err != nil {
		tb.Fatalf("lend corpus: %v", err)
	}
	at := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			at[e.Name()] = info.ModTime()
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(at), func(a, b string) int { return at[b].Compare(at[a]) }) {
		if os.Rename(filepath.Join(free, name), filepath.Join(taken, name)) == nil {
			return name
		}
	}
	return ""
}

// Wipe deletes the nodes of a corpus and keeps its indexes, as if nothing had been
// indexed yet.
func Wipe(tb testing.TB, corpus string) {
	tb.Helper()
	if _, err := wipe(context.Background(), Server(tb), corpus); err != nil {
		tb.Fatalf("wipe corpus %s: %v", corpus, err)
	}
}

// wipe deletes the nodes of a corpus and returns its indexes.
func wipe(ctx context.Context, conn Conn, corpus string) (has string, err error) {
	if _, err := Rows(ctx, conn, "MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus DETACH DELETE n", map[string]any{"corpus": corpus}); err != nil {
		return "", err
	}
	all, err := indexes(ctx, conn, corpus)
	return all[corpus], err
}

// indexes returns the indexes of a corpus, or with "" of every corpus, one a line with its id:
// an index that is created again has another one.
func indexes(ctx context.Context, conn Conn, corpus string) (map[string]string, error) {
	rows, err := Rows(ctx, conn, "SHOW INDEXES YIELD id, name, labelsOrTypes WHERE name ENDS WITH $corpus", map[string]any{"corpus": corpus})
	if err != nil {
		return nil, err
	}
	lines := map[string][]string{}
	for _, r := range rows {
		labels, _ := r["labelsOrTypes"].([]any)
		if len(labels) == 0 {
			continue // of lookups
		}
		_, of, _ := strings.Cut(fmt.Sprint(labels[0]), "_")
		lines[of] = append(lines[of], fmt.Sprintln(r["name"], r["id"]))
	}
	all := map[string]string{}
	for of, list := range lines {
		slices.Sort(list)
		all[of] = strings.Join(list, "")
	}
	return all, nil
}
