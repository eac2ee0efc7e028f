package neo4jtest

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// A Relay stands between a store and a server. It keeps what the server says,
// counts round trips, can cut its connections and can stop passing anything on.
// It ends with the test.
type Relay struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	frozen bool
	open   []net.Conn
	said   strings.Builder
	asking bool // the last bytes went to the server
	trips  int
}

// NewRelay stands before the server of conn.
func NewRelay(tb testing.TB, conn Conn) *Relay {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	r := &Relay{listener: listener, target: strings.TrimPrefix(conn.URI, "bolt://")}
	go r.accept(tb.Context())
	tb.Cleanup(func() {
		_ = listener.Close()
		r.Cut()
	})
	return r
}

// URI is the address of the relay.
func (r *Relay) URI() string { return "bolt://" + r.listener.Addr().String() }

func (r *Relay) accept(ctx context.Context) {
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
		go r.pass(out, in, true)
		go r.pass(in, out, false)
	}
}

// pass hands on bytes until an end closes.
func (r *Relay) pass(to, from net.Conn, asking bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if r.passes(buffer[:n], asking) {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, werr := to.Write(buffer[:n]); err != nil || werr != nil {
			_ = to.Close()
			return
		}
	}
}

// passes notes what passes, and says whether nothing does any more.
func (r *Relay) passes(bytes []byte, asking bool) (frozen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen || len(bytes) == 0 {
		return r.frozen
	}
	if asking && !r.asking {
		r.trips++
	}
	if r.asking = asking; !asking {
		r.said.Write(bytes)
	}
	return false
}

// Cut closes all connections.
func (r *Relay) Cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.open {
		_ = c.Close()
	}
	r.open = nil
}

// Freeze keeps all connections open and passes nothing on.
func (r *Relay) Freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = true
}

// Heard counts a text in what the server said.
func (r *Relay) Heard(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.said.String(), text)
}

// Trips is how often somebody sent something to the server and had to wait,
// where there is one connection at a time.
func (r *Relay) Trips() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trips
}
