// Package neo4jtest provides tests with a real Neo4j: the one that the test runner
// started for all packages, or one for this package.
package neo4jtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/testcorpora"
)

// The environment variables by which the runner passes its server to tests. URIEnv is
// None when it could not start one.
const (
	URIEnv      = "NEORAG_TEST_URI"
	UserEnv     = "NEORAG_TEST_USER"
	PasswordEnv = "NEORAG_TEST_PASSWORD"
	LentEnv     = "NEORAG_TEST_LENT"
	None        = "none"
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

// Server returns a Neo4j that tests may write to, each test to its own corpus. It is
// the runner's; without a runner the first call starts one, which ends with this
// process. Without Java or Neo4j's jars the test is skipped, or fails when
// NEORAG_REQUIRE lists "neo4j". With -short it is skipped.
func Server(tb testing.TB) Conn {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a Neo4j, which tests with -short do not start")
	}
	switch uri := os.Getenv(URIEnv); uri {
	case "":
	case None:
		testcorpora.Missing(tb, "neo4j", "the test runner could not start a server")
	default:
		user := os.Getenv(UserEnv)
		if user == "" {
			user = "neo4j"
		}
		folder := os.Getenv(LentEnv)
		if folder == "" {
			folder = filepath.Join(os.TempDir(), "neorag-lent-"+url.PathEscape(uri))
		}
		return Conn{URI: uri, User: user, Password: os.Getenv(PasswordEnv), Lent: folder}
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), time.Minute)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = driver.Close(ctx) }()
	result, err := neo4j.ExecuteQuery(ctx, driver, text, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		tb.Fatal(err)
	}
	rows := make([]map[string]any, len(result.Records))
	for i, r := range result.Records {
		rows[i] = r.AsMap()
	}
	return rows
}
