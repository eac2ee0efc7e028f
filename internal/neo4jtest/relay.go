package neo4jtest

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// A Relay is a proxy between a client and a server. It records what the server sends,
// counts round trips, and can close its connections or stop forwarding. It is closed
// when the test ends.
type Relay struct {
	listener net.Listener
	target   string

	mu       sync.Mutex
	frozen   bool
	open     []net.Conn
	sent     strings.Builder // by the server
	toServer bool            // the last bytes went to the server
	trips    int
}

// NewRelay starts a relay to the server of conn.
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

// URI returns the address of the relay.
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
		go r.forward(out, in, true)
		go r.forward(in, out, false)
	}
}

// forward copies bytes until either end closes.
func (r *Relay) forward(to, from net.Conn, toServer bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if r.record(buffer[:n], toServer) {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, werr := to.Write(buffer[:n]); err != nil || werr != nil {
			_ = to.Close()
			return
		}
	}
}

// record records bytes, and reports whether the relay is frozen.
func (r *Relay) record(bytes []byte, toServer bool) (frozen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen || len(bytes) == 0 {
		return r.frozen
	}
	if toServer && !r.toServer {
		r.trips++
	}
	if r.toServer = toServer; !toServer {
		r.sent.Write(bytes)
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

// Freeze keeps all connections open and stops forwarding.
func (r *Relay) Freeze() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frozen = true
}

// Sent counts the occurrences of a text in what the server has sent.
func (r *Relay) Sent(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.sent.String(), text)
}

// Trips returns the number of round trips to the server, provided that there is one
// connection at a time.
func (r *Relay) Trips() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trips
}
