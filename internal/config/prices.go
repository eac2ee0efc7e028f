package config

import (
	"net"
	"net/url"
	"strings"

	"github.com/neorag/neorag/internal/llm/prices"
)

// givesPrices reports whether any price is set. Then no price is taken from the built-in list,
// whose currency may be another.
func (c *Config) givesPrices() bool {
	for _, s := range Settings() {
		if (strings.HasSuffix(s.Name, ".price_in") || strings.HasSuffix(s.Name, ".price_out")) && c.Text(s.Name) != "" {
			return true
		}
	}
	return false
}

// withListedPrice returns the endpoint with the price of the built-in list, if the user gives no
// prices and the model is listed for the server.
func (c *Config) withListedPrice(e Endpoint) Endpoint {
	if c.givesPrices() {
		return e
	}
	e.Price, e.listed = prices.Of(e.BaseURL, e.Model)
	e.inPriced, e.outPriced = e.listed, e.listed
	return e
}

// EmbeddingEndpointOf returns the embedding model of a name, which the settings need not name: a corpus
// names the model that it was embedded with.
func (c *Config) EmbeddingEndpointOf(name string, chat Endpoint) (Endpoint, error) {
	e, err := c.EmbeddingEndpoint(chat)
	if err != nil || name == e.Model {
		return e, err
	}
	e.Model = name
	return c.withListedPrice(e), nil
}

// ListedPrice reports whether the price is from the built-in list.
func (e Endpoint) ListedPrice() bool { return e.listed }

// IsLocal reports whether the server is on this machine, where a model usually costs nothing.
func (e Endpoint) IsLocal() bool {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
}
