package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for want, list := range map[bool]string{
		true: "1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.167.0.1 2606:4700::1111 2a00:1450::1 64:ff9b::101:101 ::ffff:1.1.1.1",
		false: "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 " +
			"192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1 " +
			":: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 " +
			"64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2001::1 2001:db8::1 2002:7f00:1::1 3fff::1 100::1",
	} {
		for s := range strings.FieldsSeq(list) {
			if got := isPublic(netip.MustParseAddr(s)); got != want {
				t.Errorf("isPublic(%s) = %v", s, got)
			}
		}
	}
	if isPublic(netip.Addr{}) {
		t.Error("the zero address is public")
	}
}

// TestPrivateAddresses checks that no way to write an address of this machine is read, and that no
// request reaches it.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]response{"/": page("secret")})
	port := netip.MustParseAddrPort(s.host()).Port()
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "0.0.0.0", "127.0.0.2", "１２７.0.0.1", "%31%32%37.0.0.1"} {
		address := fmt.Sprintf("http://%s:%d/", host, port)
		_, _, err := Fetch(t.Context(), address, Options{})
		if strings.HasPrefix(host, "%") {
			if err == nil { // not a valid host
				t.Errorf("Fetch(%q): no error", address)
			}
			continue
		}
		if !errors.Is(err, ErrPrivate) || !strings.Contains(err.Error(), "is not a public address: --private-addresses allows it") {
			t.Errorf("Fetch(%q): error %v", address, err)
		}
	}
	for _, host := range []string{"2130706433", "0x7f000001", "017700000001", "127.1", "0x7f.0.0.1"} {
		if _, _, err := Fetch(t.Context(), fmt.Sprintf("http://%s:%d/", host, port), Options{}); err == nil || !strings.Contains(err.Error(), "is a number") {
			t.Errorf("%s: error %v", host, err)
		}
	}
	if got := s.requested(); got != nil {
		t.Errorf("requests %v", got)
	}
}

// TestPrivateAddressesInRedirectsAndLinks begins at an address that counts as public.
func TestPrivateAddressesInRedirectsAndLinks(t *testing.T) {
	t.Parallel()
	secret := serve(t, map[string]response{"/": page("secret"), "/robots.txt": typed("text/plain", "User-agent: *\nDisallow: /x")})
	s := serve(t, map[string]response{
		"/a":     redirect(secret.URL),
		"/b":     redirect("/a"),
		"/name":  redirect(strings.Replace(secret.URL, "127.0.0.1", "localhost", 1)),
		"/mixed": redirect(strings.Replace(secret.URL, "127.0.0.1", "[::ffff:127.0.0.1]", 1)),
		"/links": page(`<a href="/a">a</a><a href="` + secret.URL + `">b</a>`),
	})
	options := onlyPorts(t, s)
	for _, path := range []string{"/a", "/b", "/name", "/mixed"} {
		if _, _, err := Fetch(t.Context(), s.URL+path, options); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	options.Follow = 5
	files, failures, err := Fetch(t.Context(), s.URL+"/links", options)
	if err != nil || len(files) != 1 || len(failures) != 1 {
		t.Errorf("files %v, failures %v, error %v", s.uris(files), failures, err)
	}
	robots := serve(t, map[string]response{"/robots.txt": redirect(secret.URL + "/robots.txt"), "/": page("x")})
	if _, _, err := Fetch(t.Context(), robots.URL, onlyPorts(t, robots)); !errors.Is(err, ErrPrivate) {
		t.Errorf("robots.txt: error %v", err)
	}
	if got := secret.requested(); got != nil {
		t.Errorf("requests %v", got)
	}
}

func TestProxies(t *testing.T) {
	t.Parallel()
	for _, private := range []bool{false, true} {
		if proxies := newClient(Options{Private: private}).transport.Proxy != nil; proxies != private {
			t.Errorf("Private %v: uses proxies: %v", private, proxies)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	pages := map[string]response{"/loop": redirect("/loop2"), "/loop2": redirect("/loop"), "/end": page("end"), "/permanent": {status: http.StatusPermanentRedirect, header: map[string]string{"Location": "end#x"}}}
	for i := range 11 {
		to := fmt.Sprintf("/hop%d", i-1)
		if i == 0 {
			to = "/end"
		}
		pages[fmt.Sprintf("/hop%d", i)] = redirect(to)
	}
	s := serve(t, pages)
	for _, c := range []struct{ path, want string }{
		{"/hop0", ""},
		{"/hop9", ""},
		{"/permanent", ""},
		{"/hop10", "read SITE/hop10: more than 10 redirects"},
		{"/loop", "read SITE/loop: more than 10 redirects"},
	} {
		files, _, err := Fetch(t.Context(), s.URL+c.path, private)
		got := ""
		if err != nil {
			got = s.without(err.Error())
		} else if len(files) != 1 || s.without(files[0].URI) != "SITE/end.html" || files[0].Path != s.URL+"/end" || files[0].Root != s.URL+c.path {
			t.Errorf("%s: files %+v", c.path, files)
		}
		if got != c.want {
			t.Errorf("%s: error %q, want %q", c.path, got, c.want)
		}
	}
}

// TestRedirectsToAnotherSite: the given page may be there, but links are not followed from or to it.
func TestRedirectsToAnotherSite(t *testing.T) {
	t.Parallel()
	other := serve(t, map[string]response{"/": page(`<a href="/x">x</a>`), "/x": page("x")})
	s := serve(t, map[string]response{
		"/":      redirect(other.URL),
		"/links": page(`<a href="/">out</a><a href="/in">in</a>`),
		"/in":    page("in"),
	})
	files, failures, err := Fetch(t.Context(), s.URL, Options{Private: true, Follow: 5})
	if err != nil || len(files) != 1 || files[0].URI != other.host()+"/index.html" {
		t.Errorf("files %v, error %v", files, err)
	}
	want := map[string]string{"OTHER/index.html": "read OTHER/: its links are not followed, because SITE/ redirects to this other site: index http://OTHER/ instead"}
	withoutOther := func(all map[string]string) map[string]string {
		named := map[string]string{}
		for _, key := range sortedKeys(all) {
			named[other.host2(key)] = other.host2(all[key])
		}
		return named
	}
	if diff := cmp.Diff(want, withoutOther(s.errors(failures))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/robots.txt", "/"}, other.requested()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	files, failures, err = Fetch(t.Context(), s.URL+"/links", Options{Private: true, Follow: 5})
	if diff := cmp.Diff([]string{"SITE/links.html", "SITE/in.html"}, s.uris(files)); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	want = map[string]string{"SITE/index.html": "read SITE/: it redirects to another site, OTHER/: index that address too"}
	if diff := cmp.Diff(want, withoutOther(s.errors(failures))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// host2 returns a text with OTHER for the host and port of the server.
func (s *testServer) host2(text string) string { return strings.ReplaceAll(text, s.host(), "OTHER") }

func TestSizes(t *testing.T) {
	t.Parallel()
	const limit = 1000
	packed := func(n int) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(bytes.Repeat([]byte("a"), n))
		_ = w.Close()
		return b.String()
	}
	zipped := map[string]string{"Content-Encoding": "gzip"}
	s := serve(t, map[string]response{
		"/full":     page(strings.Repeat("a", limit)),
		"/over":     page(strings.Repeat("a", limit+1)),
		"/gzip":     {header: zipped, body: packed(limit)},
		"/bomb":     {header: zipped, body: packed(4 << 20)},
		"/grows":    {header: map[string]string{"Content-Type": "text/html; charset=koi8-r"}, body: strings.Repeat("\xc1", limit)},
		"/cut":      {header: zipped, body: packed(limit)[:20]},
		"/shortens": {header: map[string]string{"Content-Length": "2000"}, body: strings.Repeat("a", 10)},
	})
	const tooLarge = "larger than the limit of 1000 bytes: raise the limit"
	for path, want := range map[string]string{"/full": "", "/gzip": "", "/over": tooLarge, "/bomb": tooLarge, "/grows": tooLarge, "/cut": "unexpected EOF", "/shortens": "unexpected EOF"} {
		files, _, err := Fetch(t.Context(), s.URL+path, Options{Private: true, MaxFileSize: limit})
		switch {
		case want == "" && (err != nil || len(files) != 1 || files[0].Size != limit || len(files[0].Content) != limit):
			t.Errorf("%s: %d files, error %v", path, len(files), err)
		case want != "" && (err == nil || !strings.HasSuffix(err.Error(), ": "+want)):
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
}
