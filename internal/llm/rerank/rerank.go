// Package rerank is a client for reranking servers: it asks how relevant texts are to a
// question, with the JSON interface that Cohere, Jina, vLLM, llama.cpp and others share.
// It posts {model, query, documents} to /rerank and gets {results: [{index,
// relevance_score}]}. It makes one attempt per call, reads nothing from the environment,
// and sends its key to the configured host only.
package rerank

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/llm/httplimit"
	"github.com/neorag/neorag/internal/text"
)

// Config is a server and the model on it.
type Config struct {
	BaseURL string // without /rerank
	Key     string // empty: none is sent
	Model   string
	Timeout time.Duration // of a call, default DefaultTimeout
	// IdleTimeout is the longest silence of the server within a call, default Timeout.
	IdleTimeout time.Duration
	// Transport replaces the network in tests.
	Transport http.RoundTripper
}

// A Client calls one server. It is safe for concurrent use.
type Client struct {
	config Config
	http   *http.Client
}

// DefaultTimeout is how long a call may take by default.
const DefaultTimeout = 20 * time.Second

const maxReason = 200 // characters of a refusal that are shown

// maxReply returns the bound in bytes of a reply about texts, which some servers repeat in
// it: JSON may write each byte of them with 6.
func maxReply(texts []string) int64 {
	n := int64(64<<10) + 1024*int64(len(texts))
	for _, t := range texts {
		n += 6 * int64(len(t))
	}
	return n
}

// New returns a client. It makes no call. The caller closes the client.
func New(c Config) (*Client, error) {
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the address of the reranker is not a URL: set one such as http://localhost:8080/v1")
	}
	if strings.ContainsAny(c.Key, "\r\n") {
		return nil, errors.New("the API key of the reranker contains a line break: remove it")
	}
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/rerank")
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	return &Client{config: c, http: &http.Client{
		Transport: httplimit.Transport(httplimit.Options{FirstByte: c.IdleTimeout, Silence: c.IdleTimeout, Base: c.Transport}),
		// Redirects are not followed, so that no other server gets the key or the texts.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

type request struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
}

type response struct {
	Results []struct {
		Index int      `json:"index"`
		Score *float64 `json:"relevance_score"`
	} `json:"results"`
}

// Rerank returns the score of each text for the question, in the order of the texts. A
// reply that omits or repeats a text is an error.
func (c *Client) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	attempt, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	scores, err := c.rerank(attempt, question, texts)
	var silent *httplimit.SilentError
	switch {
	case errors.As(err, &silent):
		err = fmt.Errorf("%w: raise models.rerank.idle_timeout", err)
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("no complete answer within %v: raise models.rerank.timeout: %w", c.config.Timeout, err)
	}
	if err != nil {
		return nil, fmt.Errorf("rerank with %s: %w", c.host(), err)
	}
	return scores, nil
}

func (c *Client) host() string {
	u, err := url.Parse(c.config.BaseURL)
	if err != nil {
		return "the server"
	}
	return u.Host
}

func (c *Client) rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	body, err := json.Marshal(request{c.config.Model, question, texts})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.BaseURL+"/rerank", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.config.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // the caller adds the address
		}
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	reply, err := io.ReadAll(httplimit.Reader(res.Body, maxReply(texts)))
	if err != nil {
		return nil, fmt.Errorf("read the reply: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, c.refused(res.StatusCode, reply)
	}
	return scoresOf(reply, len(texts))
}

// refused returns an error with the server's reason, without the key in case it is quoted.
func (c *Client) refused(status int, reply []byte) error {
	if status >= 300 && status < 400 {
		return fmt.Errorf("status %d: redirects are not followed: set the final address", status)
	}
	reason := strings.ToValidUTF8(string(reply), "")
	if c.config.Key != "" {
		reason = strings.ReplaceAll(reason, c.config.Key, "…")
	}
	return fmt.Errorf("status %d: %s", status, text.Shorten(text.OneLine(reason), maxReason))
}

// scoresOf returns the scores in a reply about n texts.
func scoresOf(reply []byte, n int) ([]float64, error) {
	var r response
	if err := json.Unmarshal(reply, &r); err != nil {
		return nil, fmt.Errorf("decode the reply: %w", err)
	}
	scores := make([]float64, n)
	seen := make([]bool, n)
	for _, x := range r.Results {
		if x.Index < 0 || x.Index >= n || seen[x.Index] || x.Score == nil || math.IsNaN(*x.Score) {
			return nil, fmt.Errorf("the reply has an invalid score or index for text %d", x.Index)
		}
		seen[x.Index], scores[x.Index] = true, *x.Score
	}
	if len(r.Results) != n {
		return nil, fmt.Errorf("the reply has scores for %d of %d texts", len(r.Results), n)
	}
	return scores, nil
}
