// Package neo4jtest gives tests a real Neo4j: the one that the test runner
// started for all packages, or one of their own.
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

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/testcorpora"
)

// The environment by which the runner tells tests of its server. URIEnv is
// None when it could start none.
const (
	URIEnv      = "NEORAG_TEST_URI"
	UserEnv     = "NEORAG_TEST_USER"
	PasswordEnv = "NEORAG_TEST_PASSWORD"
	LentEnv     = "NEORAG_TEST_LENT"
	None        = "none"
)

// Conn is how to reach the test server, and the folder that says which of its
// corpora are lent.
type Conn struct{ URI, User, Password, Lent string }

// own is the server that this process started, if it needed one.
var own struct {
	once sync.Once
	conn Conn
	err  error
	stop func() error
}

// Server is a Neo4j that tests may write to, each into a corpus of its own. It
// is the runner's, or the first call starts one, which ends with this process.
// Without Java or Neo4j's jars the test is skipped by name, or fails when
// NEORAG_REQUIRE lists "neo4j".
func Server(tb testing.TB) Conn {
	tb.Helper()
	switch uri := os.Getenv(URIEnv); uri {
	case "":
	case None:
		testcorpora.Missing(tb, "neo4j", "the test runner could start no server")
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
		testcorpora.Missing(tb, "neo4j", own.err.Error()+" (neorag up fetches what is missing)")
	}
	return own.conn
}

// Main runs the tests of a package and stops the server that they started. A
// package that uses Server calls it from TestMain; without it the server ends
// a moment after the tests.
func Main(m *testing.M) {
	code := m.Run()
	if own.stop != nil {
		if err := own.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "neotest:", err)
		}
	}
	os.Exit(code)
}

// Corpus is a new, valid name for a corpus that no other test uses.
func Corpus(tb testing.TB) string {
	tb.Helper()
	return Name()
}

// Name is a new, valid name for a corpus.
func Name() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "t_" + hex.EncodeToString(b[:])
}
