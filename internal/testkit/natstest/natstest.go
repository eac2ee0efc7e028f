// Package natstest starts NATS servers with JetStream on loopback, in the process of a test.
package natstest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Server is a NATS server.
type Server struct {
	token  string
	folder string
	port   int
	tls    *tls.Config // nil without TLS
	server *server.Server
}

// New starts a server, which stops with the test. With a token, clients need it.
func New(tb testing.TB, token string) *Server {
	tb.Helper()
	return newServer(tb, token, nil)
}

// NewTLS is New with TLS.
func NewTLS(tb testing.TB, token string, certificate tls.Certificate) *Server {
	tb.Helper()
	return newServer(tb, token, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}})
}

func newServer(tb testing.TB, token string, config *tls.Config) *Server {
	tb.Helper()
	s, err := start(token, config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Stop)
	return s
}

// Start starts a server. The caller stops it.
func Start(token string) (*Server, error) { return start(token, nil) }

func start(token string, config *tls.Config) (*Server, error) {
	folder, err := os.MkdirTemp("", "nats")
	if err != nil {
		return nil, err
	}
	s := &Server{token: token, folder: folder, port: server.RANDOM_PORT, tls: config}
	return s, s.start()
}

func (s *Server) start() error {
	const patience = 30 * time.Second
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: s.port, Authorization: s.token, JetStream: true, StoreDir: s.folder, JetStreamMaxMemory: 1 << 30,
		NoSigs: true, NoLog: true, TLS: s.tls != nil, TLSConfig: s.tls, TLSTimeout: patience.Seconds(),
	})
	if err != nil {
		return fmt.Errorf("start a NATS server: %w", err)
	}
	n.Start()
	if !n.ReadyForConnections(patience) {
		return errors.New("the NATS server does not start")
	}
	s.server = n
	if s.port == server.RANDOM_PORT {
		_, err = fmt.Sscanf(n.ClientURL(), s.scheme()+"://127.0.0.1:%d", &s.port)
	}
	return err
}

// URL returns the address of the server.
func (s *Server) URL() string { return fmt.Sprintf("%s://127.0.0.1:%d", s.scheme(), s.port) }

func (s *Server) scheme() string {
	if s.tls != nil {
		return "tls"
	}
	return "nats"
}

// Stop stops the server.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	_ = os.RemoveAll(s.folder)
}

// Restart starts the server again at its address. What it kept in memory is gone, and with forget also
// which streams there were.
func (s *Server) Restart(forget bool) error {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	if forget {
		if err := os.RemoveAll(s.folder); err != nil {
			return err
		}
	}
	return s.start()
}

// Connections returns the number of clients.
func (s *Server) Connections() int { return s.server.NumClients() }

// Connect returns a client and its JetStream. The caller closes the client.
func (s *Server) Connect() (*nats.Conn, jetstream.JetStream, error) {
	conn, err := nats.Connect(s.URL(), nats.Token(s.token))
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(conn)
	return conn, js, err
}

// DeleteStreams deletes all streams, and returns how many there were.
func (s *Server) DeleteStreams(ctx context.Context) (int, error) {
	conn, js, err := s.Connect()
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	names, n := js.StreamNames(ctx), 0
	for name := range names.Name() {
		if err := js.DeleteStream(ctx, name); err != nil {
			return n, err
		}
		n++
	}
	return n, names.Err()
}
