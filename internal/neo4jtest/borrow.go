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

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Borrow returns a corpus without nodes, which may already have its indexes: the one
// that a test of any process returned last, those without indexes after the others,
// or else a new one. Creating and dropping the indexes of a corpus costs more than
// most tests do, and makes the server replan every statement. Corpora that need
// different indexes are borrowed for different uses. They are never dropped: the
// server is temporary.
func Borrow(tb testing.TB, use string) string {
	tb.Helper()
	return Turn(tb, use, use)
}

// Turn is Borrow for a test that changes the indexes of its corpus, so that it is
// returned for another use than it was borrowed for.
func Turn(tb testing.TB, from, to string) string {
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
			tb.Logf("the indexes of a borrowed corpus changed, so that the server plans all statements again: call neo4jtest.ChangesIndexes\nbefore:\n%s\nafter:\n%s", had, has)
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

// promise is the name of a file that exists while more corpora are being created.
const promise = "promise"

// promiseTimeout is how long a test waits for corpora that are being created.
const promiseTimeout = 2 * time.Minute

// Promise makes tests that borrow wait until kept is called, for two minutes at most.
func Promise(conn Conn) (kept func() error, err error) {
	path := filepath.Join(conn.Lent, promise)
	if err := os.MkdirAll(conn.Lent, 0o700); err != nil {
		return nil, fmt.Errorf("promise corpora: %w", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return nil, fmt.Errorf("promise corpora: %w", err)
	}
	return func() error { return os.Remove(path) }, nil
}

// await waits while more corpora are being created.
func await(tb testing.TB, conn Conn) {
	tb.Helper()
	for range promiseTimeout / (100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(conn.Lent, promise)); err != nil || tb.Context().Err() != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Lend deletes the nodes of a corpus and makes it available to Borrow for that use.
func Lend(ctx context.Context, conn Conn, use, corpus string) error {
	has, err := wipe(ctx, conn, corpus)
	if err != nil {
		return fmt.Errorf("wipe corpus %s: %w", corpus, err)
	}
	free := filepath.Join(conn.Lent, "free", use)
	if err := os.MkdirAll(free, 0o700); err != nil {
		return fmt.Errorf("lend corpus: %w", err)
	}
	if err := os.WriteFile(filepath.Join(free, corpus), []byte(has), 0o600); err != nil {
		return fmt.Errorf("lend corpus: %w", err)
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

// wipe deletes the nodes of a corpus and returns its indexes, one a line with its id: an index
// that is created again has another one.
func wipe(ctx context.Context, conn Conn, corpus string) (indexes string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		return "", err
	}
	defer func() { _ = driver.Close(ctx) }()
	run := func(text string) (*neo4j.EagerResult, error) {
		return neo4j.ExecuteQuery(ctx, driver, text, map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	}
	if _, err := run("MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus DETACH DELETE n"); err != nil {
		return "", err
	}
	found, err := run("SHOW INDEXES YIELD id, name WHERE name ENDS WITH '_' + $corpus RETURN name, id ORDER BY name")
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, r := range found.Records {
		fmt.Fprintln(&lines, r.Values...)
	}
	return lines.String(), nil
}
