//go:build unix

package cli_test

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/neotest"
)

// A relay stands between the program and a server. It keeps what the server
// says, and can stop passing anything on.
type relay struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	frozen bool
	open   []net.Conn
	said   strings.Builder
}

func newRelay(t *testing.T, conn neotest.Conn) *relay {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{listener: listener, target: strings.TrimPrefix(conn.URI, "bolt://")}
	go r.accept(t.Context())
	t.Cleanup(func() {
		_ = listener.Close()
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, c := range r.open {
			_ = c.Close()
		}
	})
	return r
}

func (r *relay) uri() string { return "bolt://" + r.listener.Addr().String() }

func (r *relay) accept(ctx context.Context) {
	for {
		in, err := r.listener.Accept()
		if err != nil {
			return
		}
		out, err := new(net.Dialer).DialContext(ctx, "tcp", r.target)
		if err != nil {
			_ = in.Close()
			continue
		}
		r.mu.Lock()
		r.open = append(r.open, in, out)
		r.mu.Unlock()
		go r.pass(out, in, false)
		go r.pass(in, out, true)
	}
}

func (r *relay) pass(to, from net.Conn, keep bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		r.mu.Lock()
		frozen := r.frozen
		if keep && !frozen {
			r.said.Write(buffer[:n])
		}
		r.mu.Unlock()
		if frozen {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, werr := to.Write(buffer[:n]); err != nil || werr != nil {
			_ = to.Close()
			return
		}
	}
}

// freeze keeps all connections open and passes nothing on.
func (r *relay) freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = true
}

// heard counts a text in what the server said.
func (r *relay) heard(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.said.String(), text)
}
