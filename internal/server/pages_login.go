package server

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

const (
	loginPath = "/login"
	// A wrong token costs failedLogin, and at most maxLogins are compared at a time, so that a token
	// cannot be guessed by trying.
	failedLogin = time.Second
	maxLogins   = 5
)

// logins are the logins that are being compared.
type logins chan struct{}

// A loginForm is what the page of a login shows.
type loginForm struct{ Next, Wrong string }

func (s *server) loginPage(w http.ResponseWriter, r *http.Request) {
	next := localPath(r.URL.Query().Get("next"))
	if s.Fence.Token == "" || s.Fence.hasToken(r) {
		http.Redirect(w, r, next, http.StatusSeeOther)
		return
	}
	s.writeLogin(w, r, http.StatusOK, loginForm{Next: next})
}

func (s *server) writeLogin(w http.ResponseWriter, r *http.Request, status int, form loginForm) {
	s.writePage(w, r, status, "login", frame{Title: "Log in", Content: form})
}

// login gives the browser of a user who has typed the token a cookie.
func (s *server) login(w http.ResponseWriter, r *http.Request) {
	next := localPath(r.PostFormValue("next"))
	select {
	case s.logins <- struct{}{}:
		defer func() { <-s.logins }()
	default:
		s.writeLogin(w, r, http.StatusTooManyRequests, loginForm{next, "Too many people are logging in. Try again in a moment."})
		return
	}
	cookie, ok := s.Fence.Login(r.PostFormValue("token"), isSecure(r), time.Now())
	if !ok {
		_ = wait.For(r.Context(), failedLogin) // a browser that has gone gets no answer anyway
		s.writeLogin(w, r, http.StatusUnauthorized, loginForm{next, "This is not the token of the server."})
		return
	}
	http.SetCookie(w, cookie)
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// logout takes the cookie of a login away.
func (s *server) logout(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1, HttpOnly: true, Secure: isSecure(r), SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, loginPath, http.StatusSeeOther)
}

// isSecure reports whether the browser has asked over TLS, perhaps through a proxy.
func isSecure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// localPath returns the path of a page of this server, with its query, for what a link asks to open after the
// login; "/" for anything else.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(next, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") || u.Path == loginPath {
		return "/"
	}
	return next
}

// loginAddress returns where a browser that has not logged in is sent; empty for other clients.
func loginAddress(r *http.Request) string {
	if r.Method != http.MethodGet || r.Header.Get("Authorization") != "" || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return ""
	}
	return loginPath + "?next=" + url.QueryEscape(localPath(r.URL.RequestURI()))
}
