package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
)

// TestOpenAddressNeedsToken listens at addresses that other machines can reach, and at those of this machine.
func TestOpenAddressNeedsToken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address, token string
		want           error // nil: it listens
	}{
		{"127.0.0.1:0", "", nil},
		{"localhost:0", "", nil},
		{"127.0.0.1:0", testToken, nil},
		{"0.0.0.0:0", testToken, nil},
		{"0.0.0.0:0", "", ErrNeedsToken},
		{":0", "", ErrNeedsToken},
		{"[::]:0", "", ErrNeedsToken},
		{"[::ffff:0.0.0.0]:0", "", ErrNeedsToken},
		{"192.0.2.1:0", "", ErrNeedsToken},
		{"rag.example.org:0", "", ErrNeedsToken},
		{"localhost.example.org:0", "", ErrNeedsToken},
		{"0.0.0.0:0", "short", errShortToken},
		{"127.0.0.1:0", "short", errShortToken},
	} {
		l, err := Listen(t.Context(), tt.address, tt.token)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s with token %q: %v, want %v", tt.address, tt.token, err, tt.want)
		}
		if err == nil {
			if tt.token == "" && !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
				t.Errorf("%s without a token: listens at %s", tt.address, l.Addr())
			}
			_ = l.Close()
		}
	}
}

// TestServeEnds ends a server while it answers: the request's context ends, and Serve returns nil.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	l, err := Listen(t.Context(), "127.0.0.1:0", "")
	if err != nil {
		t.Fatal(err)
	}
	asked, left := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(asked)
			<-r.Context().Done()
			close(left)
		}))
	}()
	go func() {
		response, err := http.Get("http://" + l.Addr().String()) //nolint:noctx // the server ends it
		if err == nil {
			_ = response.Body.Close()
		}
	}()
	<-asked
	cancel()
	<-left
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil { //nolint:noctx // refused immediately
		t.Error("the port is open after the end")
	}
}
