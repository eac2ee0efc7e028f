package neo4jstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/store/bolt"
)

const (
	connectTimeout   = 2 * time.Second         // for a connection, and the name of the host
	handshakeTimeout = 2500 * time.Millisecond // for TLS and Bolt to begin
)

// portAdvice ends an error about an address that something else listens on.
const portAdvice = "; the port of Neo4j is 7687 unless configured otherwise"

// dial checks that a server which speaks Bolt listens at the address, and returns
// host and port. It fails sooner than the driver and with a reason that helps.
func dial(ctx context.Context, uri string) (string, error) {
	address, secure, err := parseAddress(uri)
	if err != nil {
		return "", err
	}
	dialer := net.Dialer{Timeout: connectTimeout}
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
	advice := ""
	err = conn.SetDeadline(time.Now().Add(handshakeTimeout))
	if secure && err == nil {
		// Whether there is TLS at all: the driver checks the certificate.
		secured := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		if err = secured.HandshakeContext(ctx); err != nil {
			advice = "the server there does not use TLS; use bolt:// instead of bolt+s://, or another address" + portAdvice
		}
		conn = secured
	}
	if err == nil {
		if err = bolt.Handshake(conn); err != nil {
			advice = boltAdvice(err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("open %s: %w", address, context.Cause(ctx))
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		return "", fmt.Errorf("open %s: %w: the server there does not respond; it may still be starting, or not be Neo4j%s", address, ErrUnreachable, portAdvice)
	case err != nil:
		return "", fmt.Errorf("open %s: %w: %s", address, ErrUnreachable, advice)
	}
	return address, nil
}

// parseAddress parses a URI into host and port, and reports whether it asks for TLS. Errors
// leave out what may be a password.
func parseAddress(uri string) (address string, secure bool, err error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", false, fmt.Errorf("open: %w: use an address such as bolt://localhost:7687", ErrUnreachable)
	}
	_, kind, _ := strings.Cut(u.Scheme, "+")
	switch u.Scheme {
	case "bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc":
	default:
		kind = "?"
	}
	if kind == "?" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return "", false, fmt.Errorf("open %q: %w: use an address such as bolt://localhost:7687", u.Redacted(), ErrUnreachable)
	}
	if u.User != nil {
		return "", false, fmt.Errorf("open %q: %w: remove user and password from the URI; set NEO4J_USERNAME and NEO4J_PASSWORD", u.Redacted(), ErrUnreachable)
	}
	port := u.Port()
	if port == "" {
		port = "7687"
	}
	return net.JoinHostPort(u.Hostname(), port), kind != "", nil
}

func dialCause(err error) string {
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("host %q not found; use another address", name.Name)
	}
	return "no server answers there; start one with neorag up, or use another address"
}

// boltAdvice explains an error of bolt.Handshake.
func boltAdvice(err error) string {
	switch {
	case errors.Is(err, bolt.ErrHTTP):
		return "a web server listens there" + portAdvice
	case errors.Is(err, bolt.ErrVersion):
		return "the Neo4j there is too old; " + minVersion + " or newer is needed"
	}
	return "the server there does not speak Bolt, the protocol of Neo4j, or only over TLS (bolt+s://)" + portAdvice
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}
