package neo4jstore_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestServerInfo(t *testing.T) {
	info := open(t, nil).ServerInfo()
	if info.Version == "" || info.Edition == "" || info.Database != "neo4j" || !strings.Contains(info.Address, ":") {
		t.Errorf("ServerInfo = %+v", info)
	}
}

// TestOneServerWithoutBookmarks writes and reads on one server: no transaction waits for another one.
func TestOneServerWithoutBookmarks(t *testing.T) {
	t.Parallel()
	relay := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	store := open(t, func(c *neo4jstore.Config) { c.URI = relay.URI() })
	if _, err := store.DropCorpus(t.Context(), neo4jtest.Corpus(t), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Corpora(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sent, received := relay.Sent("bookmark"), relay.Received("bookmarks"); sent == 0 || received > 0 {
		t.Errorf("the server sent %d bookmarks and was sent %d", sent, received)
	}
}

func TestOpenErrors(t *testing.T) {
	conn := neo4jtest.Server(t)
	mute, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	go func() {
		for {
			c, err := mute.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			_ = c.Close()
		}
	}()
	closed, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	const secret = "not-the-password"
	tests := []struct {
		name   string
		config neo4jstore.Config
		is     error
		says   string
	}{
		// Another user: wrong passwords lock an account.
		{"wrong password", neo4jstore.Config{URI: conn.URI, Username: "nobody"}, neo4jstore.ErrUnauthorized, "NEO4J_PASSWORD"},
		{"nothing listens", neo4jstore.Config{URI: "bolt://" + closed.Addr().String()}, neo4jstore.ErrUnreachable, "neorag up"},
		{"no Neo4j", neo4jstore.Config{URI: "bolt://" + mute.Addr().String()}, neo4jstore.ErrUnreachable, "7687"},
		{"no address", neo4jstore.Config{URI: "localhost"}, neo4jstore.ErrUnreachable, "bolt://"},
		{"other scheme", neo4jstore.Config{URI: "http://localhost:7474"}, neo4jstore.ErrUnreachable, "bolt://"},
		{"password in the address", neo4jstore.Config{URI: "bolt://user:" + secret + "@localhost:7474"}, neo4jstore.ErrUnreachable, "NEO4J_PASSWORD"},
		{"no such database", neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password, Database: "elsewhere"}, neo4jstore.ErrDatabase, "elsewhere"},
		{"the system's database", neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password, Database: "SYSTEM"}, neo4jstore.ErrDatabase, "no graph"},
	}
	for _, test := range tests {
		if test.config.Password == "" {
			test.config.Password = secret
		}
		start := time.Now()
		s, err := neo4jstore.Open(t.Context(), test.config)
		if err == nil {
			_ = s.Close(context.Background())
			t.Errorf("%s: no error", test.name)
			continue
		}
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v\nwant %v and %q", test.name, err, test.is, test.says)
		}
		if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), conn.Password) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error contains the password or a second line: %q", test.name, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", test.name, took)
		}
	}
}

func TestOpenIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	conn := neo4jtest.Server(t)
	_, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want context.Canceled", err)
	}
}
