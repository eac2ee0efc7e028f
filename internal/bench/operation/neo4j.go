package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"

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
			address, stop := t.overTLS(ctx)
			defer stop()
			o := t.run(ctx, command{args: []string{"status"}, env: []string{"NEO4J_URI=bolt+s://" + address}})
			return o.brief(), o.code != 0 && o.says("SSL_CERT_FILE")
		}},
		{kind: "neo4j", name: "statement that fails while it runs", right: "not called a syntax error", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.neorag(ctx, "cypher", "--corpus", t.tales, "RETURN reduce(s = 1, x IN range(1, 80) | s * 2) AS n")
			return o.brief(), o.code != 0 && !o.says("does not understand")
		}},
	}
}

// overTLS passes connections to the server of the cases, with a certificate that nobody trusts.
func (t *trial) overTLS(ctx context.Context) (address string, stop func()) {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.fail(err)
		return "", func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return // it was closed
			}
			running.Go(func() { t.passOn(ctx, client) })
		}
	})
	return l.Addr().String(), func() {
		cancel()
		_ = l.Close()
		running.Wait()
	}
}

// passOn copies what a client sends to the server, and back, until either ends.
func (t *trial) passOn(ctx context.Context, client net.Conn) {
	defer func() { _ = client.Close() }()
	var d net.Dialer
	server, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(t.conn.URI, "bolt://"))
	if err != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	go func() {
		_, _ = io.Copy(server, client) // ends with the connection
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server) // ends with the connection
}

// serverCases need a separate server.
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
