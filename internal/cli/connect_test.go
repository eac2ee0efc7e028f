//go:build unix

package cli_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestWrongCredentials checks that wrong credentials are tried once, since three
// failed logins lock the user, and that the password is not shown.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	const wrong = "not-the-password-7261"
	for name, user := range map[string]string{"password": conn.User, "user": "nobody"} {
		relay := neo4jtest.NewRelay(t, conn)
		p := newProgram(t, conn)
		p.env["NEO4J_URI"], p.env["NEO4J_USERNAME"], p.env["NEO4J_PASSWORD"] = relay.URI(), user, wrong
		o := p.run("index", "--offline", "--verbose", letters(t))
		message := checkFailure(t, o, 1)
		if n := relay.Sent("Security.Unauthorized"); n != 1 {
			t.Errorf("wrong %s: the server refused %d logins, want one", name, n)
		}
		for _, want := range []string{"NEO4J_USERNAME", "NEO4J_PASSWORD", user} {
			if !strings.Contains(message, want) {
				t.Errorf("wrong %s: no %q in\n%s", name, want, message)
			}
		}
		if strings.Contains(o.stderr, wrong) {
			t.Errorf("wrong %s: the password is shown:\n%s", name, o.stderr)
		}
	}
}

// TestWrongAddress checks that an address without a usable server is reported soon,
// with what to do.
func TestWrongAddress(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	address := strings.TrimPrefix(conn.URI, "bolt://")
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	tests := []struct{ name, uri, want string }{
		{"no address", "localhost", "such as bolt://localhost:7687"},
		{"no URL", "::", "such as bolt://localhost:7687"},
		{"no host", "bolt://", "such as bolt://localhost:7687"},
		{"another scheme", "http://" + address, "such as bolt://localhost:7687"},
		{"no such scheme", "bolt+x://" + address, "such as bolt://localhost:7687"},
		{"a password in it", "bolt://neo4j:secret-4711@" + address, "NEO4J_PASSWORD"},
		{"no such host", "bolt://no-such-host.invalid:7687", "not found"},
		{"nothing listens", "bolt://" + closedAddress(t), "neorag up"},
		{"no such port", "bolt://localhost:99999", "another address"},
		{"TLS to a plain server", "bolt+s://" + address, "bolt:// instead"},
		{"TLS and routing to a plain server", "neo4j+s://" + address, "bolt:// instead"},
		{"a web server", "bolt://" + web.Listener.Addr().String(), "7687"},
		{"TLS to a web server", "bolt+s://" + web.Listener.Addr().String(), "does not use TLS"},
		{"a silent server", "bolt://" + silentAddress(t), "does not respond"},
		{"TLS to a silent server", "neo4j+ssc://" + silentAddress(t), "does not respond"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, conn)
			p.env["NEO4J_URI"] = tt.uri
			o := p.run("status")
			if message := checkFailure(t, o, 1); !strings.Contains(message, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, message)
			}
			if strings.Contains(o.stderr, "secret-4711") || strings.Contains(o.stderr, conn.Password) {
				t.Errorf("the password is shown:\n%s", o.stderr)
			}
			if o.took > 20*time.Second { // the driver alone would wait for half a minute
				t.Errorf("it took %v", o.took)
			}
		})
	}
}

// closedAddress returns an address where nothing listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	return l.Addr().String()
}

// silentAddress returns the address of a server that accepts connections and sends
// nothing.
func silentAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}
