package localneo4j

import (
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/store/bolt"
)

// A port that accepts connections need not be Neo4j.
func TestHandshakeRefusesOthers(t *testing.T) {
	for name, reply := range map[string]string{"web server": "HTTP/1.1 400 Bad Request\r\n\r\n", "closed without an answer": "", "no common version": "\x00\x00\x00\x00"} {
		t.Run(name, func(t *testing.T) {
			l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			done := make(chan struct{})
			go func() {
				defer close(done)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 20))
				_, _ = conn.Write([]byte(reply))
				_ = conn.Close()
			}()
			if err := handshake(t.Context(), l.Addr().String()); !errors.Is(err, bolt.ErrNotBolt) && !errors.Is(err, bolt.ErrVersion) {
				t.Errorf("handshake = %v, want ErrNotBolt or ErrVersion", err)
			}
			<-done
		})
	}
}

func TestClaim(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if _, err := claim(t.Context(), port, "--bolt-port"); !errors.Is(err, ErrPortInUse) || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("claim of a port in use = %v", err)
	}
	_ = l.Close()
	if got, err := claim(t.Context(), port, "--bolt-port"); got != port || err != nil {
		t.Errorf("claim of a free port = %d, %v", got, err)
	}
	if got, err := claim(t.Context(), 0, ""); got == 0 || err != nil {
		t.Errorf("claim of any port = %d, %v", got, err)
	}
}
