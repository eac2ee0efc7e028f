package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// messageCases are messages about the server and its answers.
func messageCases() []testCase {
	return []testCase{
		{kind: "neo4j", name: "the database system", right: "a message that names it, not an error of Cypher", run: func(ctx context.Context, t *trial) (string, bool) {
			for _, args := range [][]string{{"status"}, {"index", "--offline", t.given("operation", "corpus")}} {
				o := t.run(ctx, command{args: args, env: []string{"NEO4J_DATABASE=system"}})
				if o.code == 0 || o.says("unsupported clauses") || !o.says("system") {
					return args[0] + ": " + o.brief(), false
				}
			}
			return "a clear message", true
		}},
		{kind: "neo4j", name: "untrusted certificate", right: "the message names SSL_CERT_FILE", run: func(ctx context.Context, t *trial) (string, bool) {
			server := httptest.NewTLSServer(nil)
			defer server.Close()
			o := t.run(ctx, command{args: []string{"status"}, env: []string{"NEO4J_URI=" + strings.Replace(server.URL, "https", "bolt+s", 1)}})
			return o.brief(), o.code != 0 && o.says("SSL_CERT_FILE")
		}},
		{kind: "neo4j", name: "statement that fails while it runs", right: "not called a syntax error", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.neorag(ctx, "cypher", "--corpus", t.tales, "RETURN reduce(s = 1, x IN range(1, 80) | s * 2) AS n")
			return o.brief(), o.code != 0 && !o.says("does not understand")
		}},
	}
}

// serverCases need a server with settings of its own.
func serverCases() []testCase {
	return []testCase{
		{kind: "neo4j", name: "home database kgraph", right: "used without NEO4J_DATABASE: exit 0", run: homeDatabase},
		{kind: "neo4j", name: "read-only server", right: "index names the cause, doctor notes it", run: readOnly},
	}
}

// within calls use with a server in a folder, and stops it.
func (t *trial) within(ctx context.Context, folder string, settings []string, use func(env []string)) {
	conn, stop, err := neo4jtest.StartIn(ctx, folder, localneo4j.Options{Settings: settings, NoFetch: true})
	if err != nil {
		t.fail(err)
		return
	}
	use([]string{"NEO4J_URI=" + conn.URI, "NEO4J_USERNAME=" + conn.User, "NEO4J_PASSWORD=" + conn.Password})
	if err := stop(); err != nil {
		t.fail(err)
	}
}

func homeDatabase(ctx context.Context, t *trial) (got string, ok bool) {
	t.within(ctx, t.dir+"/server", []string{"initial.dbms.default_database=kgraph"}, func(env []string) {
		named := t.run(ctx, command{args: []string{"status"}, env: append(env, "NEO4J_DATABASE=kgraph")})
		if named.code != 0 {
			t.fail(fmt.Errorf("the database kgraph cannot be used by name: %s", named.brief()))
		}
		o := t.run(ctx, command{args: []string{"status"}, env: env})
		got, ok = o.brief(), o.code == 0
	})
	return got, ok
}

func readOnly(ctx context.Context, t *trial) (got string, ok bool) {
	folder := t.dir + "/server"
	t.within(ctx, folder, nil, func([]string) {}) // creates the database
	t.within(ctx, folder, []string{"server.databases.default_to_read_only=true"}, func(env []string) {
		index := t.run(ctx, command{args: []string{"index", "--offline", "--corpus", "readonly", t.given("operation", "corpus")}, env: env})
		doctor := t.run(ctx, command{args: []string{"doctor"}, env: env})
		named := func(o outcome) bool { return o.says("read-only", "read only") && !o.says("WriteOnReadOnly") }
		got = fmt.Sprintf("%s; doctor names it: %t", index.brief(), named(doctor))
		ok = index.code != 0 && named(index) && named(doctor)
	})
	return got, ok
}
