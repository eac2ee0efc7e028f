package neo4jtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Borrow is a corpus without nodes, but perhaps with its indexes: one that an
// earlier test of any process gave back, the latest first and those without
// indexes last, or a new one. Making and dropping a corpus' indexes costs more
// than most tests, and makes the server plan every statement anew. Corpora that
// need different indexes go by another use. They stay on the server, which is a
// throw-away one.
func Borrow(tb testing.TB, use string) string {
	tb.Helper()
	return Turn(tb, use, use)
}

// Turn is Borrow for a test that changes the indexes of its corpus, so that it
// is given back for another use than it was taken for.
func Turn(tb testing.TB, from, to string) string {
	tb.Helper()
	conn := Server(tb)
	free, taken, back := filepath.Join(conn.Lent, "free", from), filepath.Join(conn.Lent, "taken"), filepath.Join(conn.Lent, "free", to)
	for _, dir := range []string{free, taken, back} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatalf("lend corpus: %v", err)
		}
	}
	await(tb, conn)
	name := take(tb, free, taken)
	if name == "" {
		name = Corpus(tb)
		if err := os.WriteFile(filepath.Join(taken, name), nil, 0o600); err != nil {
			tb.Fatalf("lend corpus: %v", err)
		}
	}
	tb.Cleanup(func() {
		indexed, err := wipe(context.Background(), conn, name)
		if err != nil {
			tb.Errorf("wipe corpus %s: %v", name, err)
			return
		}
		path, when := filepath.Join(taken, name), time.Now()
		if !indexed { // to be lent when there is no other
			when = time.Unix(0, 0)
		}
		if err := errors.Join(os.Chtimes(path, time.Time{}, when), os.Rename(path, filepath.Join(back, name))); err != nil {
			tb.Errorf("give corpus back: %v", err)
		}
	})
	return name
}

// promise is the file, beside the corpora that are lent, that says that more are
// being made.
const promise = "promise"

// promised is how long a test waits for corpora that are being made.
const promised = 2 * time.Minute

// Promise has tests that borrow wait until kept is called, or the time for it is over.
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

func await(tb testing.TB, conn Conn) {
	tb.Helper()
	for range promised / (100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(conn.Lent, promise)); err != nil || tb.Context().Err() != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Lend deletes the nodes of a corpus and offers it to tests that borrow for that
// use.
func Lend(ctx context.Context, conn Conn, use, corpus string) error {
	if _, err := wipe(ctx, conn, corpus); err != nil {
		return fmt.Errorf("wipe corpus %s: %w", corpus, err)
	}
	free := filepath.Join(conn.Lent, "free", use)
	if err := os.MkdirAll(free, 0o700); err != nil {
		return fmt.Errorf("lend corpus: %w", err)
	}
	if err := os.WriteFile(filepath.Join(free, corpus), nil, 0o600); err != nil {
		return fmt.Errorf("lend corpus: %w", err)
	}
	return nil
}

// take moves the corpus that was given back last to those in use, or returns
// nothing when there is none. Of processes that move the same file one succeeds.
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

// Wipe deletes the nodes of a corpus and leaves its indexes, as if nothing had
// been indexed yet.
func Wipe(tb testing.TB, corpus string) {
	tb.Helper()
	if _, err := wipe(context.Background(), Server(tb), corpus); err != nil {
		tb.Fatalf("wipe corpus %s: %v", corpus, err)
	}
}

// wipe deletes the nodes of a corpus and says whether it has indexes.
func wipe(ctx context.Context, conn Conn, corpus string) (indexed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		return false, err
	}
	defer func() { _ = driver.Close(ctx) }()
	run := func(text string) (*neo4j.EagerResult, error) {
		return neo4j.ExecuteQuery(ctx, driver, text, map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	}
	if _, err := run("MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus DETACH DELETE n"); err != nil {
		return false, err
	}
	found, err := run("SHOW INDEXES YIELD name WHERE name ENDS WITH '_' + $corpus RETURN name")
	return err == nil && len(found.Records) > 0, err
}
