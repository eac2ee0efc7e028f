package openai_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// checkError compares an error with what it should say, and whether the call may be retried.
func checkError(t *testing.T, name string, err error, says string, again bool) {
	t.Helper()
	e, ok := errors.AsType[*llm.Error](err)
	if !ok || !strings.Contains(err.Error(), says) || e.Retryable != again {
		t.Errorf("%s: %v (%+v), want an error with %q, retryable %v", name, err, e, says, again)
	}
}

// The words of a server are shown whatever their form, without the key, in refusals and in
// answers with status 200.
func TestServerWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, says string }{
		{`{"error":{"message":"bad thing"}}`, "bad thing"},
		{`{"error":"bad thing"}`, "bad thing"},
		{`{"error":"Bad Request","message":"bad thing"}`, "bad thing"},
		{`{"object":"error","message":"bad thing","code":40303}`, "bad thing"},
		{`{"code":1113,"msg":"bad thing","success":false}`, "bad thing"},
		{`{"error_code":336003,"error_msg":"bad thing"}`, "bad thing"},
		{`{"errors":[{"message":"bad thing"},{"message":"and more"}]}`, "bad thing; and more"},
		{`{"errors":["bad thing"]}`, "bad thing"},
		{`{"detail":"bad thing"}`, "bad thing"},
		{`{"detail":[{"loc":["body","messages",0],"msg":"bad thing"}]}`, "body.messages.0: bad thing"},
		{`{"detail":{"error":{"message":"bad thing"}}}`, "bad thing"},
		{`{"description":"bad thing"}`, "bad thing"},
		{`{"reason":"bad thing"}`, "bad thing"},
		{`{"type":"about:blank","title":"bad thing","status":400}`, "bad thing"},
		{`{"errmsg":"bad thing"}`, "bad thing"},
		{`{"error":{"error":{"detail":"bad thing"}}}`, "bad thing"},
		{`[{"error":{"code":400,"message":"bad thing"}}]`, "bad thing"},
		{`{"error":{"message":"Provider returned error","metadata":{"raw":"bad thing"}}}`, "Provider returned error: bad thing"},
		{`{"error":{"message":"key sk-test-0123456789abcdef is a bad thing"}}`, "key *** is a bad thing"},
		{`{"error":{"message":"` + strings.Repeat("a", 385) + ` sk-test-0123456789abcdef"}}`, "***"},
	} {
		for _, status := range []int{400, 200} {
			for _, streamed := range []bool{false, true} {
				s := server(t, llmtest.Options{})
				s.Enqueue(llmtest.Reply{Status: status, Raw: c.body})
				req := question()
				if streamed {
					req.Stream = func(string) {}
				}
				res, err := client(t, openai.Config{BaseURL: s.URL(), Key: secret}).Chat().Chat(t.Context(), req)
				if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "sk-test") || res.Usage.Calls != 0 {
					t.Errorf("%d %s: %v, usage %+v", status, c.body, err, res.Usage)
				}
				if e, ok := errors.AsType[*llm.Error](err); !ok || e.Retryable || !strings.Contains(e.ServerMessage, c.says) {
					t.Errorf("%d %s: %+v", status, c.body, e)
				}
			}
		}
	}
}

// Lasting errors end a call at once; others are retried.
func TestLastingErrors(t *testing.T) {
	t.Parallel()
	const lasting, passing = false, true
	for _, c := range []struct {
		status int
		body   string
		header http.Header
		again  bool
		credit bool
	}{
		{429, `{"error":{"code":"1113","message":"Your account balance is insufficient, please recharge."}}`, nil, lasting, true},
		{429, `{"error":{"code":"insufficient_quota","message":"no"}}`, http.Header{"Retry-After": {"1"}}, lasting, true},
		{429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details."}}`, nil, lasting, true},
		{429, `{"error":{"message":"账户余额不足"}}`, nil, lasting, true},
		{429, `{"error":{"message":"Quota exceeded: 1000 requests per month; monthly limit reached"}}`, nil, lasting, true},
		{402, `{"error":{"message":"Payment needed"}}`, nil, lasting, true},
		{403, `{"error":{"message":"Your credit balance is too low"}}`, nil, lasting, true},
		{400, `{"code":"Arrearage","message":"Access denied, your account is not in good standing"}`, nil, lasting, true},
		{200, `{"code":1113,"msg":"Your account is in arrears, please recharge","success":false}`, nil, lasting, true},
		{200, `{"error":{"message":"Insufficient Balance"}}`, nil, lasting, true},
		{200, `{"object":"error","message":"This model's maximum context length is 2048 tokens.","code":40303}`, nil, lasting, false},
		{500, `{"error":{"message":"the request exceeds the available context size"}}`, nil, lasting, false},
		{200, `{"error":{"message":"Invalid API key"}}`, nil, lasting, false},
		{429, `[{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 3.2s.","status":"RESOURCE_EXHAUSTED"}}]`, nil, passing, false},
		{429, `{"error":{"message":"You exceeded your current quota, see billing details"}}`, http.Header{"Retry-After": {"3"}}, passing, false},
		{429, `{"error":{"message":"Rate limit reached. Please try again in 20s. Visit https://host/account/billing to raise it."}}`, nil, passing, false},
		{429, `{"error":{"message":"Too many requests"}}`, nil, passing, false},
		{503, `{"error":{"message":"busy"}}`, nil, passing, false},
		{200, `{"error":{"message":"model is overloaded, try later","type":"overloaded_error","code":529}}`, nil, passing, false},
		{200, `{"code":"500","msg":"internal error"}`, nil, passing, false},
		{200, `{"error":"rate limit exceeded"}`, nil, passing, false},
	} {
		s := server(t, llmtest.Options{})
		s.Enqueue(llmtest.Reply{Status: c.status, Raw: c.body, Header: c.header})
		_, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), question())
		checkError(t, c.body, err, "", c.again)
		if errors.Is(err, llm.ErrNoCredit) != c.credit || c.credit && (!llm.IsFatal(err) || !strings.Contains(err.Error(), "no credit left")) {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}

// The hint under a refusal is about parameters only if the server speaks of one, or says nothing.
func TestHints(t *testing.T) {
	t.Parallel()
	for body, hinted := range map[string]bool{
		`{}`: true,
		`{"code":"InvalidParameter","msg":"Range of max_tokens should be [1, 2000]"}`:  true,
		`{"error":{"message":"Invalid value","param":"temperature"}}`:                  true,
		`{"error":{"message":"the images of this request cannot be read"}}`:            false,
		`{"error":{"message":"messages: text content blocks must be non-empty"}}`:      false,
		`{"error":{"message":"Your request was rejected by our safety system"}}`:       false,
		`{"error":{"message":"Tools are not available with this model, use another"}}`: false,
	} {
		s := server(t, llmtest.Options{})
		s.Enqueue(llmtest.Reply{Status: 400, Raw: body})
		_, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), question())
		if err == nil || strings.Contains(err.Error(), "check max_tokens") != hinted || !strings.Contains(err.Error(), "m does not accept this request") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
