package server

import (
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/neorag/neorag/internal/server/servertest"
)

// TestLogin sends a browser without the token to the form, and back to the page that it asked for.
func TestLogin(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	address := start(t, Options{Version: "test", Service: servertest.Service(t, nil, corpus), Fence: Fence{Token: testToken}})
	wanted := "/documents/" + corpus + "/christmas-carol/stave-1.txt?start=0&end=14"
	status, h, _ := browse(t, address+wanted)
	if want := "/login?next=" + url.QueryEscape(wanted); status != http.StatusSeeOther || h.Get("Location") != want {
		t.Fatalf("status %d, to %s, want %s", status, h.Get("Location"), want)
	}
	for path, want := range map[string]int{"/login": 200, "/assets/style.css": 200, "/assets/icon.svg": 200, "/assets/ask.js": 303, "/map/" + corpus: 303} {
		if status, _, _ := browse(t, address+path); status != want {
			t.Errorf("%s without a token: status %d, want %d", path, status, want)
		}
	}
	request(t, http.MethodGet, address+"/api/v1/corpora", "", http.StatusUnauthorized, nil)

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	_, _, form := browseWith(t, client, address+h.Get("Location"))
	next := found(regexp.MustCompile(`name="next" value="([^"]*)"`), form)
	post := func(path string, values url.Values) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+path, strings.NewReader(values.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", address)
		status, _, page := send(t, client, r)
		return status, page
	}
	if status, page := post("/login", url.Values{"token": {"wrong"}, "next": {next}}); status != http.StatusUnauthorized || !strings.Contains(page, "not the token") {
		t.Errorf("a wrong token: status %d: %s", status, page)
	}
	if status, page := post("/login", url.Values{"token": {testToken}, "next": {next}}); status != http.StatusOK || found(markPattern, page) != "MARLEY'S GHOST" || !strings.Contains(page, "Log out") {
		t.Errorf("the token: status %d: %.900s", status, page)
	}
	if status, page := post("/logout", nil); status != http.StatusOK || !strings.Contains(page, "Token of the server") {
		t.Errorf("log out: status %d: %.900s", status, page)
	}
	if status, _, page := browseWith(t, client, address+"/reports/"+corpus); status != http.StatusOK || !strings.Contains(page, "Token of the server") {
		t.Errorf("after the logout: status %d: %.900s", status, page)
	}
}

// TestLocalPath opens nothing but pages of this server after a login.
func TestLocalPath(t *testing.T) {
	t.Parallel()
	for next, want := range map[string]string{
		"/": "/", "/reports/a?b=c": "/reports/a?b=c", "/documents/a/https:%2F%2Fb": "/documents/a/https:%2F%2Fb",
		"": "/", "//evil.example": "/", `/\evil.example`: "/", `\/evil.example`: "/", "https://evil.example/": "/", "javascript:alert(1)": "/", "evil": "/",
		"/login?next=/": "/", "/\t/evil.example": "/", "/a\r\nSet-Cookie: b": "/", "///evil.example": "/", "/%zz": "/", "http:/a": "/",
	} {
		if got := localPath(next); got != want {
			t.Errorf("%q opens %q, want %q", next, got, want)
		}
	}
}

// TestLoginsAreLimited lets a wrong token wait, and refuses more logins than may wait.
func TestLoginsAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{Options: Options{Fence: Fence{Token: testToken}}, logins: make(logins, maxLogins)}
		login := func(token string) int {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			s.login(w, r)
			return w.Code
		}
		begin, results := time.Now(), make(chan int, maxLogins)
		for range maxLogins {
			go func() { results <- login("wrong") }()
		}
		synctest.Wait()
		if got := login(testToken); got != http.StatusTooManyRequests {
			t.Errorf("one more login: status %d, want %d", got, http.StatusTooManyRequests)
		}
		for range maxLogins {
			if got := <-results; got != http.StatusUnauthorized {
				t.Errorf("a wrong token: status %d", got)
			}
		}
		if waited := time.Since(begin); waited != failedLogin {
			t.Errorf("wrong tokens waited %s, want %s", waited, failedLogin)
		}
		if got := login(testToken); got != http.StatusSeeOther {
			t.Errorf("the token: status %d", got)
		}
	})
}
