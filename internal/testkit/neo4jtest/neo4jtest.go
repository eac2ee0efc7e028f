// Package neo4jtest provides tests with a real Neo4j: the one that the test runner
// started for all packages, or one for this package.
package neo4jtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// The environment variables by which the runner passes its server to tests. URIEnv is
// None when it could not start one. The server for tests that change indexes has variables
// with SchemaPrefix instead of Prefix.
const (
	Prefix       = "NEORAG_TEST_"
	SchemaPrefix = "NEORAG_TEST_SCHEMA_"
	URIEnv       = Prefix + "URI"
	UserEnv      = Prefix + "USER"
	PasswordEnv  = Prefix + "PASSWORD"
	None         = "none"
)

// Conn is how to connect to the test server, and the folder that records which of its
// corpora are borrowed.
type Conn struct{ URI, User, Password, Lent string }

// own is the server that this process started, if any.
var own struct {
	once sync.Once
	conn Conn
	err  error
	stop func() error
}

// changesIndexes has the names of the tests that called ChangesIndexes.
var changesIndexes sync.Map

// ChangesIndexes gives a test another server, which Server returns from then on. A change
// of indexes makes Neo4j discard all its plans, and planning takes most of the time of
// most tests. The other server is for the tests that do this. They should not be parallel,
// so that they do not disturb each other.
func ChangesIndexes(tb testing.TB) {
	tb.Helper()
	changesIndexes.Store(tb.Name(), true)
}

// mayChangeIndexes reports whether a test or the one around it called ChangesIndexes.
func mayChangeIndexes(tb testing.TB) bool {
	name, _, _ := strings.Cut(tb.Name(), "/")
	_, ok := changesIndexes.Load(name)
	return ok
}

// Server returns a Neo4j that tests may write to, each test to its own corpus. It is
// the runner's; without a runner the first call starts one, which ends with this
// process. Without Java or Neo4j's jars the test is skipped, or fails when
// NEORAG_REQUIRE lists "neo4j". With -short it is skipped.
func Server(tb testing.TB) Conn {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a Neo4j, which tests with -short do not start")
	}
	if mayChangeIndexes(tb) && os.Getenv(SchemaPrefix+"URI") != "" {
		return fromEnvironment(tb, SchemaPrefix)
	}
	if os.Getenv(URIEnv) != "" {
		return fromEnvironment(tb, Prefix)
	}
	own.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		own.conn, own.stop, own.err = Start(ctx, "", localneo4j.Options{NoFetch: true})
	})
	if own.err != nil {
		testcorpora.Missing(tb, "neo4j", own.err.Error()+" (neorag up downloads what is missing)")
	}
	return own.conn
}

// fromEnvironment returns a server that the runner started.
func fromEnvironment(tb testing.TB, prefix string) Conn {
	tb.Helper()
	uri := os.Getenv(prefix + "URI")
	if uri == None {
		testcorpora.Missing(tb, "neo4j", "the test runner could not start a server")
	}
	return Conn{
		URI: uri, User: cmp.Or(os.Getenv(prefix+"USER"), "neo4j"), Password: os.Getenv(prefix + "PASSWORD"),
		Lent: cmp.Or(os.Getenv(prefix+"LENT"), filepath.Join(os.TempDir(), "neorag-lent-"+url.PathEscape(uri))),
	}
}

// Environment returns the variables that pass the server to tests.
func (c Conn) Environment(prefix string) []string {
	return []string{prefix + "URI=" + c.URI, prefix + "USER=" + c.User, prefix + "PASSWORD=" + c.Password, prefix + "LENT=" + c.Lent}
}

// Main runs the tests of a package and stops the server that they started. A package
// that uses Server calls it from TestMain; otherwise the server ends a moment after
// the tests.
func Main(m *testing.M) {
	code := m.Run()
	if own.stop != nil {
		if err := own.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "neo4jtest:", err)
		}
	}
	os.Exit(code)
}

// Corpus returns a new, valid name for a corpus that no other test uses.
func Corpus(tb testing.TB) string {
	tb.Helper()
	return Name()
}

// Name returns a new, valid name for a corpus.
func Name() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "t_" + hex.EncodeToString(b[:])
}

// Query runs a statement on the test server, also while a test ends, and returns its rows.
func Query(tb testing.TB, text string, params map[string]any) []map[string]any {
	tb.Helper()
	return QueryAt(tb, Server(tb), text, params)
}

// QueryAt is Query on a given server.
func QueryAt(tb testing.TB, conn Conn, text string, params map[string]any) []map[string]any {
	tb.Helper()
	rows, err := Rows(context.WithoutCancel(tb.Context()), conn, text, params)
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

// Rows runs a statement in the home database of a test server, for at most a minute, and
// returns its rows.
func Rows(ctx context.Context, conn Conn, text string, params map[string]any) ([]map[string]any, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		return nil, err
	}
	defer func() { _ = driver.Close(ctx) }()
	result, err := neo4j.ExecuteQuery(ctx, driver, text, params, neo4j.EagerResultTransformer)
	if err != nil {
		return nil, err
	}
	rows := make([]map[string]any, len(result.Records))
	for i, r := range result.Records {
		rows[i] = r.AsMap()
	}
	return rows, nil
}
