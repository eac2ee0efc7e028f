package rerank

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const key = "secret-key"

func TestRerank(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status int
		reply  string
		want   []float64
		says   string // what the error contains
	}{
		{"scores in any order", 200, `{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":-2}]}`, []float64{-2, .9}, ""},
		{"one missing", 200, `{"results":[{"index":1,"relevance_score":0.9}]}`, nil, "for 1 of 2"},
		{"one twice", 200, `{"results":[{"index":1,"relevance_score":1},{"index":1,"relevance_score":1}]}`, nil, "text 1"},
		{"out of range", 200, `{"results":[{"index":2,"relevance_score":1},{"index":0,"relevance_score":1}]}`, nil, "text 2"},
		{"no score", 200, `{"results":[{"index":0},{"index":1}]}`, nil, "text 0"},
		{"no JSON", 200, `<html>`, nil, "decode"},
		{"refused", 401, `bad key ` + key, nil, "status 401: bad key …"},
		{"redirect", 307, ``, nil, "not followed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
			defer elsewhere.Close()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var asked map[string]any
				if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
					t.Error(err)
				}
				want := map[string]any{"model": "m", "query": "q", "documents": []any{"a", "b"}}
				if diff := cmp.Diff(want, asked); diff != "" || r.URL.Path != "/v1/rerank" || r.Header.Get("Authorization") != "Bearer "+key {
					t.Errorf("asked at %s (-want +got):\n%s", r.URL.Path, diff)
				}
				w.Header().Set("Location", elsewhere.URL)
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.reply))
			}))
			defer server.Close()
			c, err := New(Config{BaseURL: server.URL + "/v1/", Key: key, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			got, err := c.Rerank(t.Context(), "q", []string{"a", "b"})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("scores (-want +got):\n%s", diff)
			}
			if (err == nil) != (tt.says == "") || err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), key)) {
				t.Errorf("got %v, want an error with %q and without the key", err, tt.says)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "localhost:80", "ftp://x", "http://user:pass@x", "http://x?y"} {
		if _, err := New(Config{BaseURL: base}); err == nil {
			t.Errorf("New(%q): got no error", base)
		}
	}
}

func TestSlowServer(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer server.Close()
	defer close(done)
	c, err := New(Config{BaseURL: server.URL, Timeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Rerank(t.Context(), "q", []string{"a"}); err == nil {
		t.Error("a server that does not answer: got no error")
	}
}
