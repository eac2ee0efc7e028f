package localneo4j

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/store/bolt"
)

// handshake connects and agrees on a Bolt version, which a server does only
// when it accepts connections.
func handshake(ctx context.Context, address string) error {
	d := net.Dialer{Timeout: 2 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	return bolt.Handshake(conn)
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// claim returns a port that nothing listens on: the given one, or any free port
// for 0. The flag is named in the error about a port in use.
func claim(ctx context.Context, port int, flag string) (int, error) {
	if port != 0 {
		// Some systems let two programs share a port on different addresses, so
		// being able to listen is not enough.
		if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", loopback(port)); err == nil {
			_ = conn.Close()
			return 0, portInUse(ctx, port, flag)
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", loopback(port))
	if err != nil {
		if port == 0 {
			return 0, fmt.Errorf("find a free port: %w", err)
		}
		return 0, fmt.Errorf("%w: %w", portInUse(ctx, port, flag), err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func portInUse(ctx context.Context, port int, flag string) error {
	who := "another program listens there"
	if handshake(ctx, loopback(port)) == nil {
		who = "another Neo4j listens there; to use it, set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD"
	}
	return fmt.Errorf("%w: %d: %s: stop it, or choose another port with %s (0: any free port)", ErrPortInUse, port, who, flag)
}
