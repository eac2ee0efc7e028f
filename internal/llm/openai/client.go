// Package openai is a client for servers with the OpenAI HTTP interface: OpenAI, Azure,
// vLLM, llama.cpp, Ollama, LM Studio. It makes one attempt per call, reads nothing from
// the environment, and sends its key to the configured host only.
package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/neorag/neorag/internal/llm"
)

// DefaultBaseURL is the base URL of a Config without one.
const DefaultBaseURL = "https://api.openai.com/v1"

// Config is a server and the models on it.
type Config struct {
	BaseURL        string // default DefaultBaseURL; usually ends in /v1
	Key            string // empty: none is sent, as for local servers
	Organization   string // sent to api.openai.com only
	Project        string // sent to api.openai.com only
	Model          string
	EmbeddingModel string
	Dimension      int           // of vectors; 0: the model's default
	Timeout        time.Duration // of one attempt, default 10 minutes
	Concurrency    int           // connections kept open, default 32
	// Params are additional fields for the body of chat requests, such as
	// chat_template_kwargs or options.num_ctx (a dot separates the keys of nested
	// objects).
	Params map[string]any
	// Transport replaces the network in tests.
	Transport http.RoundTripper
}

// A Client calls one server. It is safe for concurrent use.
type Client struct {
	config      Config
	host        string
	sdk         sdk.Client
	http        *http.Client
	unsupported unsupportedParams
}

// New returns a client. It makes no call. The caller closes the client.
func New(c Config) (*Client, error) {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Minute
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 32
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("base_url is not a URL: set one such as " + DefaultBaseURL)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("base_url must contain only host and path: set the key in its own setting")
	}
	if strings.ContainsAny(c.Key, "\r\n") {
		return nil, errors.New("the API key contains a line break: remove it")
	}
	if c.Transport == nil {
		c.Transport = transport(c.Concurrency)
	}
	client := &Client{config: c, host: u.Host, http: &http.Client{
		Transport: c.Transport,
		// Redirects are not followed, so that no other server gets the key or the text.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	// Not sdk.NewClient, which reads keys and hosts from the environment.
	client.sdk = sdk.Client{Options: append([]option.RequestOption{
		option.WithBaseURL(c.BaseURL), option.WithHTTPClient(client.http), option.WithMaxRetries(0),
	}, credentials(c, u.Hostname())...)}
	return client, nil
}

// transport returns the default transport with a number of idle connections.
func transport(idle int) http.RoundTripper {
	if base, ok := http.DefaultTransport.(*http.Transport); ok {
		t := base.Clone()
		t.MaxIdleConns, t.MaxIdleConnsPerHost = idle, idle
		return t
	}
	return http.DefaultTransport
}

// credentials returns the headers that identify the user.
func credentials(c Config, host string) []option.RequestOption {
	options := []option.RequestOption{option.WithHeaderDel("OpenAI-Organization"), option.WithHeaderDel("OpenAI-Project")}
	if host == "api.openai.com" {
		if c.Organization != "" {
			options = append(options, option.WithOrganization(c.Organization))
		}
		if c.Project != "" {
			options = append(options, option.WithProject(c.Project))
		}
	}
	switch {
	case c.Key == "":
		return append(options, option.WithHeaderDel("Authorization"))
	case strings.HasSuffix(host, ".azure.com") || strings.HasSuffix(host, ".azure.us"):
		return append(options, option.WithHeaderDel("Authorization"), option.WithHeader("Api-Key", c.Key))
	default:
		return append(options, option.WithAPIKey(c.Key))
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Chat returns the server's chat model.
func (c *Client) Chat() llm.Chat { return chat{c} }

// Embedder returns the server's embedding model.
func (c *Client) Embedder() llm.Embedder { return embedder{c} }

// fingerprint returns what answers depend on in addition to model and request, for
// llm.Fingerprinter.
func (c *Client) fingerprint(fixed any) string {
	b, err := json.Marshal(fixed)
	if err != nil {
		return fmt.Sprintf("openai %v", fixed)
	}
	return "openai " + string(b)
}
