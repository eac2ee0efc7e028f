package neo4jtest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// A Relay is a proxy between a client and a server. It records what both ends send,
// counts round trips, can close its connections or stop forwarding, can disturb the commits of
// write transactions and what is read, and stays between both when the client asks for the
// servers of a cluster. It is closed when the test ends.
type Relay struct {
	listener net.Listener
	target   string

	mu       sync.Mutex
	frozen   bool
	closed   bool
	open     []net.Conn
	sent     strings.Builder // by the server
	received strings.Builder // by the server
	toServer bool            // the last bytes went to the server
	trips    int

	fault     func(n int) Fault
	readFault func(n int) Fault
	commits   int
	reads     int
	injected  int
	refused   int
}

// NewRelay starts a relay to the server of conn.
func NewRelay(tb testing.TB, conn Conn) *Relay {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	_, target, _ := strings.Cut(conn.URI, "://")
	r := &Relay{listener: listener, target: target}
	var running sync.WaitGroup
	running.Go(func() { r.accept(tb.Context(), &running) })
	tb.Cleanup(func() {
		_ = listener.Close()
		r.mu.Lock()
		r.closed = true
		r.mu.Unlock()
		r.Cut()
		running.Wait()
	})
	return r
}

// URI returns the address of the relay.
func (r *Relay) URI() string { return "bolt://" + r.listener.Addr().String() }

// RoutingURI returns the address of the relay as a server of a cluster, which is the only one.
func (r *Relay) RoutingURI() string { return "neo4j://" + r.listener.Addr().String() }

func (r *Relay) accept(ctx context.Context, running *sync.WaitGroup) {
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
		if !r.keep(in, out) {
			return
		}
		c := &relayed{relay: r, agreed: make(chan bool, 1)}
		running.Go(func() { r.forward(out, in, true, c.fromClient) })
		running.Go(func() { r.forward(in, out, false, c.fromServer) })
	}
}

// keep notes the two ends of a connection for Cut. It closes them and reports false if
// the relay is closed.
func (r *Relay) keep(in, out net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		_, _ = in.Close(), out.Close()
		return false
	}
	r.open = append(r.open, in, out)
	return true
}

// errCut ends a connection because of a fault.
var errCut = errors.New("cut")

// forward copies messages, which next reads, until either end closes or next returns an
// error.
func (r *Relay) forward(to, from net.Conn, toServer bool, next func(*bufio.Reader) ([]byte, error)) {
	buffered := bufio.NewReaderSize(from, 64<<10)
	for {
		sent := buffered.Buffered() == 0 // not together with the message before
		message, err := next(buffered)
		if errors.Is(err, errCut) {
			_ = to.Close()
			_ = from.Close()
			return
		}
		if r.record(message, toServer, sent) {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		if _, werr := to.Write(message); err != nil || werr != nil {
			_ = to.Close()
			return
		}
	}
}

// record records bytes, and reports whether the relay is frozen.
func (r *Relay) record(bytes []byte, toServer, sent bool) (frozen bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen || len(bytes) == 0 {
		return r.frozen
	}
	if toServer && !r.toServer && sent {
		r.trips++
	}
	if r.toServer = toServer; toServer {
		r.received.Write(bytes)
	} else {
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

// Received counts the occurrences of a text in what the server was sent.
func (r *Relay) Received(text string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Count(r.received.String(), text)
}

// Trips returns the number of round trips to the server, provided that there is one
// connection at a time.
func (r *Relay) Trips() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trips
}
