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
	"sync/atomic"
	"time"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
	"github.com/neorag/neorag/internal/llm/known"
)

// DefaultBaseURL is the base URL of a Config without one.
const DefaultBaseURL = "https://api.openai.com/v1"

// Limits of time of a Config without them.
const (
	DefaultTimeout     = 10 * time.Minute
	DefaultIdleTimeout = 5 * time.Minute // reasoning models pause within a stream
)

// Config is a server and the models on it.
type Config struct {
	BaseURL        string // default DefaultBaseURL; usually ends in /v1
	Key            string // empty: none is sent, as for local servers
	Organization   string // sent to api.openai.com only
	Project        string // sent to api.openai.com only
	Model          string
	EmbeddingModel string
	Dimension      int           // of vectors; 0: the model's default
	Timeout        time.Duration // of one attempt, default DefaultTimeout
	// IdleTimeout is the longest silence of the server within an attempt. Comments in a
	// stream break the silence; Timeout ends such an attempt. By default the server may
	// be silent until Timeout before its answer begins, because an answer that is not
	// streamed comes when it is complete, and for DefaultIdleTimeout after that.
	IdleTimeout time.Duration
	Section     string // of the settings that error messages name, default models.chat
	Context     int    // tokens of prompt and answer of Model together; 0: found out
	Concurrency int    // connections kept open, default 32
	// Params are additional fields for the body of chat requests, such as
	// chat_template_kwargs or options.num_ctx (a dot separates the keys of nested
	// objects).
	Params map[string]any
	// Known is the record of what is learnt of the server, shared by the clients of a model.
	// By default it lasts as long as the client.
	Known *known.Server
	// Transport replaces the network in tests.
	Transport http.RoundTripper
}

// A Client calls one server. It is safe for concurrent use.
type Client struct {
	config  Config
	address *url.URL // BaseURL
	server  string
	sdk     sdk.Client
	http    *http.Client
	learned atomic.Int64 // dimension of the vectors, 0 before the first
	window  contextWindow
}

// New returns a client. It makes no call. The caller closes the client.
func New(c Config) (*Client, error) {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
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
	if c.Known == nil {
		c.Known = &known.Server{}
	}
	if c.Section == "" {
		c.Section = "models.chat"
	}
	limits := httplimit.Options{Connections: c.Concurrency, FirstByte: c.IdleTimeout, Silence: c.IdleTimeout, Base: c.Transport}
	if c.IdleTimeout <= 0 {
		limits.FirstByte, limits.Silence = 0, DefaultIdleTimeout
	}
	client := &Client{config: c, address: u, server: serverOf(u), http: &http.Client{
		Transport: httplimit.Transport(limits),
		// Redirects are not followed, so that no other server gets the key or the text.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	// Not sdk.NewClient, which reads keys and hosts from the environment.
	client.sdk = sdk.Client{Options: append([]option.RequestOption{
		option.WithBaseURL(c.BaseURL), option.WithHTTPClient(client.http), option.WithMaxRetries(0),
	}, credentials(c, u.Hostname())...)}
	return client, nil
}

// openAIHost is the host of OpenAI.
const openAIHost = "api.openai.com"

// credentials returns the headers that identify the user.
func credentials(c Config, host string) []option.RequestOption {
	options := []option.RequestOption{option.WithHeaderDel("OpenAI-Organization"), option.WithHeaderDel("OpenAI-Project")}
	if host == openAIHost {
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
// llm.Fingerprinter: the server, since servers of the same kind give their models the
// same names, and fixed parameters.
func (c *Client) fingerprint(fixed any) string {
	return "openai " + c.server + " " + encode(fixed)
}

// encode returns parameters as JSON.
func encode(parameters any) string {
	b, err := json.Marshal(parameters)
	if err != nil {
		return fmt.Sprint(parameters)
	}
	return string(b)
}

// Server returns the address of the server in one form: scheme, host, port unless it is
// the scheme's default, and path.
func (c *Client) Server() string { return c.server }

func serverOf(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && port != map[string]string{"http": "80", "https": "443"}[scheme] {
		host += ":" + port
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/")
}
