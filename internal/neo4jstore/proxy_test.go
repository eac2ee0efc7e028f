package neo4jstore_test

import (
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/neotest"
)

// A proxy stands between a store and the test server. It counts round trips, and
// can cut its connections.
type proxy struct {
	uri string

	mu     sync.Mutex
	conns  []net.Conn
	asking bool // the last bytes came from the store
	trips  int
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	target, err := url.Parse(neotest.Server(t).URI)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{uri: "bolt://" + listener.Addr().String()}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := new(net.Dialer).DialContext(t.Context(), "tcp", target.Host)
			if err != nil {
				_ = in.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, in, out)
			p.mu.Unlock()
			go p.copy(out, in, true)
			go p.copy(in, out, false)
		}
	}()
	return p
}

// copy hands on bytes until an end closes.
func (p *proxy) copy(to, from net.Conn, asking bool) {
	defer func() { _ = to.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			p.mu.Lock()
			if asking && !p.asking {
				p.trips++
			}
			p.asking = asking
			p.mu.Unlock()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// cut closes all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// asked is how often the store sent something and had to wait, where it has one
// connection at a time.
func (p *proxy) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trips
}
