package web

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxAddress is the length of the longest address that is read, in bytes.
const maxAddress = 8000

// parseAddress returns an address that a user gave, normalised. Errors do not repeat it, as it may
// hold a password in any place.
func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, errors.New("read URL: not a valid address: write it as in https://example.org/guide")
	}
	u, err = normalise(u)
	if err != nil {
		return nil, fmt.Errorf("read URL: %w", err)
	}
	return u, nil
}

// normalise returns an address in the form in which equal addresses are equal strings: host and
// escapes in one spelling, no default port, dot segments or fragment.
func normalise(u *url.URL) (*url.URL, error) {
	scheme := strings.ToLower(u.Scheme)
	if scheme != "http" && scheme != "https" {
		return nil, errors.New("only http and https addresses are read")
	}
	if u.User != nil {
		return nil, errors.New("the address has a user name or a password: remove them, or save the page and index the file")
	}
	host, err := normaliseHost(u, scheme)
	if err != nil {
		return nil, err
	}
	path := u.EscapedPath()
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	normal := scheme + "://" + host + withoutDots(canonicalEscapes(path))
	if u.RawQuery != "" {
		normal += "?" + canonicalEscapes(u.RawQuery)
	}
	if len(normal) > maxAddress {
		return nil, fmt.Errorf("the address is longer than %d bytes", maxAddress)
	}
	return url.Parse(normal)
}

func normaliseHost(u *url.URL, scheme string) (string, error) {
	host, err := hostName(u.Hostname())
	if err != nil {
		return "", err
	}
	port := u.Port()
	if port == "" {
		return host, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", errors.New("the port is not a number from 1 to 65535")
	}
	if n == 80 && scheme == "http" || n == 443 && scheme == "https" {
		return host, nil
	}
	return host + ":" + strconv.FormatUint(n, 10), nil
}

// names maps the names of hosts to ASCII. Underscores occur in names that work.
var names = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// hostName returns a host in lower case and ASCII; IPv6 addresses in brackets. The ways to write IPv4
// addresses that resolvers accept in addition to four decimal numbers are refused.
func hostName(host string) (string, error) {
	if strings.Contains(host, ":") {
		a, err := netip.ParseAddr(host)
		if err != nil || a.Zone() != "" {
			return "", errors.New("the host is not a valid IPv6 address without a zone")
		}
		return "[" + a.String() + "]", nil
	}
	ascii, err := names.ToASCII(strings.TrimSuffix(host, "."))
	if err == nil { // some results are not valid themselves
		ascii, err = names.ToASCII(ascii)
	}
	if err != nil || len(ascii) > 253 {
		return "", errors.New("the name of the host is not valid")
	}
	if a, err := netip.ParseAddr(ascii); err == nil {
		return a.String(), nil
	}
	labels := strings.Split(ascii, ".")
	for _, label := range labels {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", errors.New("the name of the host is not valid")
		}
	}
	if isNumber(labels[len(labels)-1]) {
		return "", errors.New("the host is a number: write IP addresses as in 192.0.2.1")
	}
	return ascii, nil
}

// isNumber reports whether a resolver may read a label as a number.
func isNumber(label string) bool {
	return strings.Trim(label, "0123456789") == "" ||
		strings.HasPrefix(label, "0x") && strings.Trim(label[2:], "0123456789abcdef") == ""
}

// withoutDots removes the segments "." and ".." of an absolute path.
func withoutDots(path string) string {
	segments := strings.Split(path[1:], "/")
	var kept []string
	for i, s := range segments {
		if s != "." && s != ".." {
			kept = append(kept, s)
			continue
		}
		if s == ".." && len(kept) > 0 {
			kept = kept[:len(kept)-1]
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}

// canonicalEscapes returns a path or a query in which exactly what has to be escaped is, with capital
// digits. A percent sign that escapes nothing is escaped itself.
func canonicalEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], false
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, escaped = byte(n), true
				i += 2
			}
		}
		if isUnreserved(c) || !escaped && strings.IndexByte("!$&'()*+,;=:@/?[]", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// sameSite reports whether two addresses have the same scheme, host and port.
func sameSite(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }

// shown returns an address for messages: without the query, which may be secret.
func shown(u *url.URL) string {
	s := u.Host + u.EscapedPath()
	if u.RawQuery != "" {
		s += "?…"
	}
	return s
}

// notPublic lists what isPublic refuses in addition to what package netip names: IANA's registries of
// special addresses, and the metadata server of Azure.
var notPublic = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")
	// nat64 holds the IPv4 addresses that a network without IPv4 translates.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// isPublic reports whether an address is one of the internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

func prefixes(list ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(list))
	for i, s := range list {
		all[i] = netip.MustParsePrefix(s)
	}
	return all
}

// A privateError is the refusal to connect to an address.
type privateError struct{ address string }

func (e *privateError) Error() string {
	host, _, err := net.SplitHostPort(e.address)
	if err != nil {
		host = e.address
	}
	return host + " is not a public address: --private-addresses allows it"
}

func (e *privateError) Is(target error) bool { return target == ErrPrivate }
