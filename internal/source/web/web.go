// Package web turns addresses of pages into files that package source reads. It reads a page, and on
// request pages of the same site that it links to.
//
// Neither addresses nor servers are trusted. The address that a name resolves to is checked when a
// connection is opened, so that no name, redirect or link reaches a service of this machine or of its
// network. Sizes are limited while a page is read and unpacked, redirects are counted, and a page has
// 30 seconds. No cookies or credentials are sent. A proxy of the environment is used only when
// addresses that are not public are allowed: with a proxy, the address checked would be its own.
//
// robots.txt is obeyed for every page, also for the given one. Pages are read one after another, and
// the same pages of a site give the same files in the same order.
package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/sys/wait"
)

const (
	defaultMaxFileSize = 64 << 20
	defaultUserAgent   = "neorag"
	pageTimeout        = 30 * time.Second // with redirects, and with robots.txt when it is not known yet
	maxRedirects       = 10
	maxDelay           = 10 * time.Second // between two pages, whatever robots.txt asks for
)

// ErrPrivate means that an address was not read because it is not public.
var ErrPrivate = errors.New("not a public address")

// Options configure how pages are fetched. The zero value works.
type Options struct {
	// Follow is how many pages may be requested by following links within the same site (scheme, host
	// and port), in addition to the given one; 0 means none.
	Follow      int
	MaxFileSize int64  // bytes of a page; 0 means 64 MiB
	Private     bool   // allow addresses that are not public, and proxies of the environment
	UserAgent   string // "" means "neorag"; robots.txt is obeyed for its first word too

	public func(netip.AddrPort) bool                  // of tests; nil is isPublic
	wait   func(context.Context, time.Duration) error // of tests; nil waits
}

func (o Options) withDefaults() Options {
	o.MaxFileSize = cmp.Or(o.MaxFileSize, defaultMaxFileSize)
	o.UserAgent = cmp.Or(o.UserAgent, defaultUserAgent)
	if o.public == nil {
		o.public = func(a netip.AddrPort) bool { return isPublic(a.Addr()) }
	}
	if o.wait == nil {
		o.wait = wait.For
	}
	return o
}

// IsURL reports whether a path is a URL that Fetch reads: one that starts with http:// or https://.
func IsURL(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// Fetch reads a page, and with Follow pages that it links to, breadth first, in the order of the
// links. Content is never nil. The URI of a file is made of the address that the page has after
// redirects, and ends in an extension that package source reads; Root is the given address,
// normalised.
//
// An error means that the given page cannot be read, or that the context ended. Failures are the
// other pages that cannot be read, and links that were not followed. What robots.txt forbids is one
// failure. The error of a page that the next run cannot read either is a lastingError.
func Fetch(ctx context.Context, address string, o Options) ([]source.File, []source.Failure, error) {
	start, err := parseAddress(address)
	if err != nil {
		return nil, nil, err
	}
	o = o.withDefaults()
	c := newCrawler(start, o)
	defer c.client.transport.CloseIdleConnections()
	if err := c.crawl(ctx); err != nil {
		return nil, nil, err
	}
	return c.files, c.failures, nil
}

// readError is the error for a page: one line, without the query of its address, which may be secret.
func readError(page string, err error) error { return fmt.Errorf("read %s: %w", page, err) }
