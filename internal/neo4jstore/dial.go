package neo4jstore

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

const (
	connectWait   = 2 * time.Second         // for a connection, and the name of the host
	handshakeWait = 2500 * time.Millisecond // for TLS and Bolt to begin
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

// dial looks whether something answers that speaks Bolt, which is quicker and
// says more than the driver's own attempts. It returns host and port.
func dial(ctx context.Context, uri string) (string, error) {
	address, secure, err := target(uri)
	if err != nil {
		return "", err
	}
	dialer := net.Dialer{Timeout: connectWait}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("open %s: %w", address, context.Cause(ctx))
		}
		return "", fmt.Errorf("open %s: %w: %s", address, ErrUnreachable, dialCause(err))
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	says := ""
	err = conn.SetDeadline(time.Now().Add(handshakeWait))
	if secure && err == nil {
		// Only whether there is TLS: the driver looks at the certificate.
		secured := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		if err = secured.HandshakeContext(ctx); err != nil {
			says = "what answers there speaks no TLS; give the address with bolt:// instead, or the right one: the port of Neo4j is 7687 unless set otherwise"
		}
		conn = secured
	}
	if err == nil {
		says, err = greetBolt(conn)
	}
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("open %s: %w", address, context.Cause(ctx))
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return "", fmt.Errorf("open %s: %w: something listens there but does not answer; is it Neo4j, and has it started? Its port is 7687 unless set otherwise", address, ErrUnreachable)
	case err != nil:
		return "", fmt.Errorf("open %s: %w: %s", address, ErrUnreachable, says)
	}
	return address, nil
}

// target reads an address. What may hold a password is not shown.
func target(uri string) (address string, secure bool, err error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", false, fmt.Errorf("open: %w: give an address such as bolt://localhost:7687", ErrUnreachable)
	}
	_, kind, _ := strings.Cut(u.Scheme, "+")
	switch u.Scheme {
	case "bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc":
	default:
		kind = "?"
	}
	if kind == "?" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return "", false, fmt.Errorf("open %q: %w: give an address such as bolt://localhost:7687", u.Redacted(), ErrUnreachable)
	}
	port := u.Port()
	if port == "" {
		port = "7687"
	}
	return net.JoinHostPort(u.Hostname(), port), kind != "", nil
}

func dialCause(err error) string {
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("there is no host of the name %q; give another address", name.Name)
	}
	return "nothing answers there; start one with neorag up, or give another address"
}

// greetBolt agrees on a version of Bolt, and says in words what answered
// something else.
func greetBolt(conn net.Conn) (says string, err error) {
	const port = "; the port of Neo4j is 7687 unless set otherwise"
	if _, err := conn.Write(hello); err != nil {
		return "what answers there does not speak Bolt" + port, err
	}
	var reply [4]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return "what answers there does not speak Bolt, the protocol of Neo4j, or only with TLS (bolt+s://)" + port, err
	}
	switch {
	case bytes.Equal(reply[:], []byte("HTTP")):
		return "a web server answers there" + port, errNoBolt
	case reply[0] == 0 && reply[3] == 0:
		return "the Neo4j there speaks no version of Bolt that neorag knows; " + minVersion + " or newer is needed", errNoBolt
	case reply[0] != 0 || reply[3] < 4 || reply[3] > 9:
		return "what answers there does not speak Bolt, the protocol of Neo4j" + port, errNoBolt
	}
	return "", nil
}

var errNoBolt = errors.New("no Bolt")

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}
