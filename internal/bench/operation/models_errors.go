package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"time"
)

// answerErrors are errors that servers report in unusual forms.
func answerErrors() (cases []testCase) {
	for _, c := range []struct {
		mode, words string
		requests    int // that make sense
	}{
		{"obj200", "maximum context length is 2048", 2},
		{"msg200", "account is in arrears", 2},
		{"baidu", "length of messages must be an odd number", 2},
		{"msg400", "Range of max_tokens", 2},
		{"errevent", "overloaded", 8},
		{"errtext", "upstream died", 8},
	} {
		cases = append(cases, testCase{
			kind: "errors", name: c.mode, right: "the server's words, and no repetition that cannot help", needs: python,
			run: func(ctx context.Context, t *trial) (string, bool) {
				o := t.run(ctx, command{args: t.asks(t.answers.base(c.mode)), terminal: true, limit: 75 * time.Second})
				n := t.answers.requests(c.mode)
				return fmt.Sprintf("%s (%d requests, %.0f s)", o.brief(), n, o.took.Seconds()), o.code == 1 && o.says(c.words) && n <= c.requests
			},
		})
	}
	return append(cases, testCase{kind: "errors", name: "Retry-After in the year 9999", right: "an error without an absurd time, soon", run: farRetryAfter},
		testCase{kind: "errors", name: "first URL without /v1", right: "the right URL then works in the same corpus", run: wrongURL})
}

// absurd is a duration of more than a year.
var absurd = regexp.MustCompile(`\d{5,}h`)

func farRetryAfter(ctx context.Context, t *trial) (string, bool) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":{"message":"too many requests"}}`)) // the client may be gone
	}))
	defer server.Close()
	o := t.run(ctx, command{args: t.asks(server.URL + "/v1"), limit: 75 * time.Second})
	return o.brief(), o.code == 1 && !absurd.MatchString(o.text())
}

func wrongURL(ctx context.Context, t *trial) (string, bool) {
	corpus := t.corpus(ctx, embedded)
	args := func(url string) []string {
		return []string{"index", "--quiet", "--without", "reports", "--corpus", corpus, "--base-url", url, "--model", "sim", "--embedding-model", "sim", t.given("models", "docs")}
	}
	url := t.model.URL()
	if o := t.neorag(ctx, args(url[:len(url)-len("/v1")])...); o.code == 0 {
		t.fail(fmt.Errorf("the wrong URL worked: %s", o.brief()))
	}
	o := t.run(ctx, command{args: args(url), limit: time.Minute})
	return o.brief(), o.code == 0
}
