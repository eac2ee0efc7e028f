package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Limits of connections. The time of a response is limited by its route, because a model
// may write for minutes.
const (
	headerTime   = 5 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
	maxHeader    = 64 << 10
)

// ErrNeedsToken means that other machines could reach a server without a token.
var ErrNeedsToken = errors.New("other machines can reach this address, and no token is set")

// errShortToken means that a token could be guessed.
var errShortToken = fmt.Errorf("the token has fewer than %d characters", MinTokenLength)

// IsLoopback reports whether only this machine can reach an address with a port.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// Listen listens at an address. It returns ErrNeedsToken, before it opens a socket, if the address can
// be reached from elsewhere and there is no token.
func Listen(ctx context.Context, address, token string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("listen at %s: %w", address, err)
	}
	if token == "" && !IsLoopback(address) {
		return nil, fmt.Errorf("listen at %s: %w", address, ErrNeedsToken)
	}
	if token != "" && len(token) < MinTokenLength {
		return nil, fmt.Errorf("listen at %s: %w", address, errShortToken)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}

// Serve answers requests until the context is done, and then returns nil once the answers that are
// being written are cut off or complete.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	requests, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	s := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return requests },
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	end() // answers that are being written end
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := s.Shutdown(limited); err != nil {
		_ = s.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
