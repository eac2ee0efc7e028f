package localneo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// hello is Bolt's magic number and the versions that are proposed: 5.0 to
// 5.8, 4.2 to 4.4, and two empty places.
var hello = []byte{
	0x60, 0x60, 0xB0, 0x17,
	0, 8, 8, 5,
	0, 2, 4, 4,
	0, 0, 0, 0,
	0, 0, 0, 0,
}

var errNoBolt = errors.New("what listens there does not speak Bolt")

// handshake connects and agrees on a Bolt version, which a server does only
// when it takes connections.
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
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	var reply [4]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return fmt.Errorf("%w: %w", errNoBolt, err)
	}
	if reply[0] != 0 || reply[3] < 4 || reply[3] > 9 {
		return errNoBolt
	}
	return nil
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// claim turns a wanted port into one that nobody listens on: itself, or with
// 0 any free one. The flag is what the user can change.
func claim(ctx context.Context, port int, flag string) (int, error) {
	if port != 0 {
		// Some systems let two programs share a port on different
		// addresses, so that listening alone proves nothing.
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
		who = "another Neo4j listens there; to use that one set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD"
	}
	return fmt.Errorf("%w: %d: %s: stop it, or choose another port with %s (0: a free one)", ErrPortInUse, port, who, flag)
}
