package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// A client requests addresses, without cookies. It uses no http.Client, whose errors repeat addresses
// with their passwords and queries.
type client struct {
	transport *http.Transport
	userAgent string
}

func newClient(o Options) *client {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	t := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
	if o.Private {
		t.Proxy = http.ProxyFromEnvironment
	} else {
		// This is called after the name was resolved, for each address that is tried.
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			if a, err := netip.ParseAddrPort(address); err != nil || !o.public(a) {
				return &privateError{address}
			}
			return nil
		}
	}
	return &client{t, o.UserAgent}
}

// A reply is what a server sent.
type reply struct {
	address *url.URL // after redirects
	status  int
	header  http.Header
	body    []byte // not nil, up to one byte more than the limit; empty unless the status is 200
}

// follow requests an address and those that it redirects to. check is called before each request; its
// error ends it.
func (c *client) follow(ctx context.Context, u *url.URL, limit int64, check func(*url.URL) error) (reply, error) {
	for range 1 + maxRedirects {
		if err := check(u); err != nil {
			return reply{}, err
		}
		r, err := c.get(ctx, u, limit)
		if err != nil {
			return reply{}, err
		}
		switch r.status {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		default:
			return r, nil
		}
		if u, err = redirected(u, r.header.Get("Location")); err != nil {
			return reply{}, fmt.Errorf("redirected: %w", err)
		}
	}
	return reply{}, fmt.Errorf("more than %d redirects", maxRedirects)
}

func redirected(from *url.URL, location string) (*url.URL, error) {
	to, err := url.Parse(location)
	if err != nil || location == "" {
		return nil, errors.New("not to a valid address")
	}
	return normalise(from.ResolveReference(to))
}

func (c *client) get(ctx context.Context, u *url.URL, limit int64) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return reply{}, errors.New("not a valid address")
	}
	request.Header.Set("User-Agent", c.userAgent)
	request.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return reply{}, networkError(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read as far as wanted
	r := reply{address: u, status: response.StatusCode, header: response.Header, body: []byte{}}
	if r.status != http.StatusOK {
		return r, nil
	}
	// The transport unpacks what it asks for, and removes the header.
	if e := response.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return reply{}, errors.New("packed in a way that was not asked for: save the page and index the file")
	}
	if r.body, err = io.ReadAll(io.LimitReader(response.Body, limit+1)); err != nil {
		return reply{}, networkError(err)
	}
	return r, nil
}

// networkError returns what to report of an error of the transport.
func networkError(err error) error {
	if private, ok := errors.AsType[*privateError](err); ok {
		return private
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no complete answer within %v", pageTimeout)
	}
	return err
}
