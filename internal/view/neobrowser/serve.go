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

// Handler serves the files to programs on this machine and to web pages of the given
// origins (of Neo4j Browser). It refuses all other web pages, even those whose host
// name resolves to this machine (DNS rebinding), because a guide contains names from the
// corpus.
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
		if !isLocal(r.Host) || origin != "" && !slices.Contains(origins, origin) {
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
			http.Error(w, "the files are read-only", http.StatusMethodNotAllowed)
		}
	})
}

// preflight answers a CORS preflight request. The Browser sends one because it adds
// headers to its requests.
func preflight(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "*")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
}

// isLocal reports whether a host is 127.0.0.1 or localhost, not another name that
// resolves to them.
func isLocal(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return name == "127.0.0.1" || strings.EqualFold(name, "localhost")
}

// Origins returns the origins of Neo4j Browser at an address. On this machine there are
// two, 127.0.0.1 and localhost.
func Origins(browser string) []string {
	u, err := url.Parse(browser)
	if err != nil || u.Host == "" {
		return nil
	}
	origins := []string{u.Scheme + "://" + u.Host}
	if !isLocal(u.Host) {
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
