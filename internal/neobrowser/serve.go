package neobrowser

import (
	"bytes"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Handler serves the files, and nothing else, to programs of this machine and
// to pages of the origins: those of Neo4j Browser. Any other page that runs in
// the same Chromium or Firefox is refused, also one whose own name leads here
// (DNS rebinding): a guide holds names out of the corpus.
func Handler(files []File, origins []string) http.Handler {
	byPath := map[string]File{}
	for _, f := range files {
		byPath["/"+f.Name] = f
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		h.Set("Cache-Control", "no-store")
		h.Set("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !here(r.Host) || origin != "" && !slices.Contains(origins, origin) {
			http.Error(w, "only Neo4j Browser on this machine is served", http.StatusForbidden)
			return
		}
		if origin != "" {
			h.Set("Access-Control-Allow-Origin", origin)
		}
		f, known := byPath[r.URL.Path]
		switch {
		case !known:
			http.Error(w, "no such file", http.StatusNotFound)
		case r.Method == http.MethodOptions:
			preflight(h, r)
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			h.Set("Content-Type", f.Type)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.Body))
		default:
			h.Set("Allow", "GET, HEAD, OPTIONS")
			http.Error(w, "files are only read", http.StatusMethodNotAllowed)
		}
	})
}

// preflight allows what the Browser asks for before it reads a file: it adds
// headers of its own to the request.
func preflight(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "*")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
}

// here reports whether a request names this machine, and not another name that leads to it.
func here(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return name == "127.0.0.1" || strings.EqualFold(name, "localhost")
}

// Origins are those of Neo4j Browser at an address, which on this machine has two names.
func Origins(browser string) []string {
	u, err := url.Parse(browser)
	if err != nil || u.Host == "" {
		return nil
	}
	origins := []string{u.Scheme + "://" + u.Host}
	if !here(u.Host) {
		return origins
	}
	for _, name := range []string{"127.0.0.1", "localhost"} {
		host := name
		if port := u.Port(); port != "" {
			host = net.JoinHostPort(name, port)
		}
		if o := u.Scheme + "://" + host; !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	return origins
}
