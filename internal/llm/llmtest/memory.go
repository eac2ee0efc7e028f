package llmtest

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// memoryListener connects clients to a server within the process, without the network: a
// server in a bubble of testing/synctest then runs in the bubble's time.
type memoryListener struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func newMemoryListener() *memoryListener {
	return &memoryListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept returns the server's end of the next connection.
func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and dial.
func (l *memoryListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr returns an address that no network has.
func (l *memoryListener) Addr() net.Addr { return &net.UnixAddr{Name: "llmtest.invalid", Net: "pipe"} }

func (l *memoryListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Transport returns a transport to a server with Options.InMemory.
func (s *Server) Transport() http.RoundTripper {
	return &http.Transport{DialContext: s.memory.dial, MaxIdleConnsPerHost: 64}
}
