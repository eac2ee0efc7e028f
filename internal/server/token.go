package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strings"
	"time"
)

// MinTokenLength is the least number of characters of a token.
const MinTokenLength = 20

const (
	sessionCookie = "neorag-session"
	sessionTime   = 30 * 24 * time.Hour
)

// hasToken reports whether a request has the token, as a bearer of it or by a cookie of Login.
func (f Fence) hasToken(r *http.Request) bool {
	if scheme, given, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return sameToken(strings.TrimSpace(given), f.Token)
	}
	cookie, err := r.Cookie(sessionCookie)
	return err == nil && f.isSession(cookie.Value, time.Now())
}

// sameToken compares tokens in a time that depends on neither.
func sameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// Login returns the cookie of a browser whose user has typed the token; ok is false for another one.
func (f Fence) Login(typed string, secure bool, now time.Time) (cookie *http.Cookie, ok bool) {
	if f.Token == "" || !sameToken(strings.TrimSpace(typed), f.Token) {
		return nil, false
	}
	return &http.Cookie{
		Name: sessionCookie, Value: f.session(now.Add(sessionTime)), Path: "/", MaxAge: int(sessionTime / time.Second),
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode, // a link in a chat client opens a page
	}, true
}

// session returns an end of a session, signed with the token.
func (f Fence) session(end time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(end.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(b, f.sign(b)...))
}

func (f Fence) sign(b []byte) []byte {
	mac := hmac.New(sha256.New, []byte(f.Token))
	mac.Write(b)
	return mac.Sum(nil)
}

// isSession reports whether a value is a session that has not ended.
func (f Fence) isSession(value string, now time.Time) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(value)
	if err != nil || len(b) != 8+sha256.Size {
		return false
	}
	return hmac.Equal(b[8:], f.sign(b[:8])) && now.Before(time.Unix(int64(binary.BigEndian.Uint64(b[:8])), 0))
}
