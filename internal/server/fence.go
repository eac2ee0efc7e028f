package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Fence decides which requests reach the routes. The zero value lets those of this machine in that
// no foreign page has made.
type Fence struct {
	// Hosts are names, besides addresses and localhost, under which clients reach the server, such
	// as the name of a proxy. The Host header of a request must have one of them, so that no name of a
	// foreign site leads here.
	Hosts []string
	// Token, unless empty, is asked of every request, except to the paths in Open.
	Token string
	Open  []string
	Log   *slog.Logger // of one line a request, without its contents; nil for none
}

// Wrap returns a handler that passes on what the fence lets in.
func (f Fence) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &statusWriter{ResponseWriter: w}
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if status, said := f.check(r); status != 0 {
			refuse(seen, r, newProblem(status, said))
		} else {
			next.ServeHTTP(seen, r)
		}
		if f.Log != nil {
			f.Log.InfoContext(r.Context(), "request", "method", r.Method, "path", r.URL.Path, "status", seen.status, "bytes", seen.bytes, "seconds", time.Since(start).Seconds())
		}
	})
}

// refuse answers a request that does not get in, in the form that its client knows. A browser without a token is sent to
// the login.
func refuse(w http.ResponseWriter, r *http.Request, p *Problem) {
	if p.status == http.StatusUnauthorized {
		if login := loginAddress(r); login != "" {
			http.Redirect(w, r, login, http.StatusSeeOther)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	switch {
	case r.URL.Path == difyPath:
		writeJSON(w, p.status, difyProblem(r, p))
	case strings.HasPrefix(r.URL.Path, openAIPath):
		writeJSON(w, chatStatus(p), chatProblem(p))
	default:
		writeProblem(w, p)
	}
}

// check returns the status and the message of a refusal; 0 lets the request in.
func (f Fence) check(r *http.Request) (status int, said string) {
	switch {
	case !f.isOwnHost(r.Host):
		return http.StatusMisdirectedRequest, "this server has another name: use its address, or add the name to serve.hosts"
	case isForeign(r):
		return http.StatusForbidden, "a page of another site may not ask this server"
	case f.Token == "" || slices.Contains(f.Open, r.URL.Path) || f.hasToken(r):
		return 0, ""
	}
	return http.StatusUnauthorized, "send the token as Authorization: Bearer TOKEN"
}

// isOwnHost reports whether a Host header names this server: by an address, as localhost, or by one of
// the names of the fence.
func (f Fence) isOwnHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if name == "localhost" || slices.ContainsFunc(f.Hosts, func(own string) bool { return strings.EqualFold(own, name) }) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// isForeign reports whether a page of another site has made a request, as browsers say by Origin and
// by Sec-Fetch-Site. A link on another site may open a page here, but nothing else.
func isForeign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return true
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}

// A statusWriter remembers the status and the size of a response.
type statusWriter struct {
	http.ResponseWriter

	status int
	bytes  int64
}

// WriteHeader sends the status.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap returns the writer for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
