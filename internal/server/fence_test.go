package server

import (
	"bytes"
	"cmp"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const testToken = "a token of enough letters"

// TestFence lets requests in by their Host, by what browsers say of the page that made them, and by their
// token.
func TestFence(t *testing.T) {
	t.Parallel()
	bearer := map[string]string{"Authorization": "Bearer " + testToken}
	with := func(headers ...string) map[string]string {
		all := map[string]string{"Authorization": "Bearer " + testToken}
		for i := 0; i < len(headers); i += 2 {
			all[headers[i]] = headers[i+1]
		}
		return all
	}
	for _, tt := range []struct {
		name    string
		method  string
		host    string
		path    string
		headers map[string]string
		open    bool // the fence has no token
		want    int
	}{
		{name: "a program", headers: bearer, want: 200},
		{name: "no token", want: 401},
		{name: "no token is needed", open: true, want: 200},
		{name: "a wrong token", headers: with("Authorization", "Bearer "+testToken+"x"), want: 401},
		{name: "an empty token", headers: with("Authorization", "Bearer "), want: 401},
		{name: "another scheme", headers: with("Authorization", "Basic "+testToken), want: 401},
		{name: "an open path", path: "/healthz", want: 200},
		{name: "localhost", host: "localhost:7480", headers: bearer, want: 200},
		{name: "an address", host: "192.168.1.5:7480", headers: bearer, want: 200},
		{name: "an address of version 6", host: "[::1]:7480", headers: bearer, want: 200},
		{name: "a name of the settings", host: "RAG.example.org", headers: bearer, want: 200},
		{name: "a foreign name", host: "evil.example", headers: bearer, want: 421},
		{name: "a foreign name with a port", host: "evil.example:7480", headers: bearer, want: 421},
		{name: "a name that begins like localhost", host: "localhost.evil.example", headers: bearer, want: 421},
		{name: "an empty host", host: " ", headers: bearer, want: 421},
		{name: "a foreign name on an open path", host: "evil.example", path: "/healthz", want: 421},
		{name: "a page of this server", method: "POST", headers: with("Origin", "http://127.0.0.1:7480", "Sec-Fetch-Site", "same-origin"), want: 200},
		{name: "a foreign origin", method: "POST", headers: with("Origin", "https://evil.example"), want: 403},
		{name: "a foreign origin that reads", headers: with("Origin", "https://evil.example"), want: 403},
		{name: "another port of this machine", method: "POST", headers: with("Origin", "http://127.0.0.1:3000"), want: 403},
		{name: "an opaque origin", method: "POST", headers: with("Origin", "null"), want: 403},
		{name: "a form of another site", method: "POST", headers: with("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), want: 403},
		{name: "an image of another site", headers: with("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"), want: 403},
		{name: "a frame of another site", headers: with("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"), want: 403},
		{name: "a request of a sibling", headers: with("Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"), want: 403},
		{name: "a link of another site", headers: with("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), want: 200},
		{name: "an address that was typed", headers: with("Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), want: 200},
		{name: "a foreign page without a token", method: "POST", open: true, headers: map[string]string{"Origin": "https://evil.example"}, want: 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			f := Fence{Hosts: []string{"rag.example.org"}, Token: testToken, Open: []string{"/healthz"}, Log: slog.New(slog.NewTextHandler(&log, nil))}
			if tt.open {
				f.Token = ""
			}
			reached := false
			h := f.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
			r := httptest.NewRequestWithContext(t.Context(), cmp.Or(tt.method, "GET"), "http://127.0.0.1:7480"+cmp.Or(tt.path, "/api/v1/corpora")+"?q=secret", strings.NewReader("secret"))
			if tt.host != "" {
				r.Host = tt.host
			}
			for name, value := range tt.headers {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.want || reached != (tt.want == 200) {
				t.Errorf("status %d, reached %v, want %d: %s", w.Code, reached, tt.want, w.Body)
			}
			if all := w.Body.String() + log.String(); strings.Contains(all, testToken) || strings.Contains(all, "secret") || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("reply and log: %s", all)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Error("the reply allows other origins")
			}
		})
	}
}

// TestSession lets a browser in by the cookie of a login, until it ends or the token changes.
func TestSession(t *testing.T) {
	t.Parallel()
	f := Fence{Token: testToken}
	now := time.Now()
	if _, ok := f.Login("wrong", false, now); ok {
		t.Error("a wrong token logs in")
	}
	if _, ok := (Fence{}).Login("", false, now); ok {
		t.Error("without a token anyone logs in")
	}
	cookie, ok := f.Login(" "+testToken+"\n", true, now)
	if !ok || !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || strings.Contains(cookie.Value, testToken) {
		t.Fatalf("Login: %v, %+v", ok, cookie)
	}
	for name, tt := range map[string]struct {
		fence Fence
		value string
		after time.Duration
		want  bool
	}{
		"at once":          {f, cookie.Value, 0, true},
		"the last second":  {f, cookie.Value, sessionTime - time.Second, true},
		"the end":          {f, cookie.Value, sessionTime, false},
		"another token":    {Fence{Token: testToken + "!"}, cookie.Value, 0, false},
		"a changed end":    {f, "A" + cookie.Value[1:10] + "B" + cookie.Value[11:], 0, false},
		"a part":           {f, cookie.Value[:20], 0, false},
		"nothing":          {f, "", 0, false},
		"no base64":        {f, "!!!", 0, false},
		"the token itself": {f, testToken, 0, false},
	} {
		if got := tt.fence.isSession(tt.value, now.Add(tt.after)); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1/", nil)
	r.AddCookie(cookie)
	if !f.hasToken(r) {
		t.Error("the cookie is not accepted")
	}
}
