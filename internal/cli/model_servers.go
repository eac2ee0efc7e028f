package cli

import (
	"cmp"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/llm/remote"
)

// serversOf returns the servers of an endpoint, each made by connect.
func serversOf[T any](at config.Endpoint, connect func(config.Endpoint) (llm.Server[T], error)) ([]llm.Server[T], error) {
	var servers []llm.Server[T]
	for _, one := range at.Servers() {
		s, err := connect(one)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// chatServer returns the chat model of an endpoint with one address: on a model server, or on workers
// behind a queue.
func (m *models) chatServer(at config.Endpoint) (llm.Server[llm.Chat], error) {
	if remote.IsAddress(at.BaseURL) {
		q, err := m.queue(at)
		if err != nil {
			return llm.Server[llm.Chat]{}, err
		}
		model := remote.Model{Name: at.Model, Parameters: openai.Parameters(at.Params)}
		return llm.Server[llm.Chat]{Provider: q.Chat(model, at.Context), Limiter: m.limiter(at)}, nil
	}
	client, err := m.client(openai.Config{Model: at.Model, Context: at.Context}, at)
	if err != nil {
		return llm.Server[llm.Chat]{}, err
	}
	return llm.Server[llm.Chat]{Provider: client.Chat(), Limiter: m.limiter(at)}, nil
}

// embeddingServer returns the embedding model of that name at an endpoint with one address, and the
// address in one form.
func (m *models) embeddingServer(name string, at config.Endpoint) (server llm.Server[llm.Embedder], address string, err error) {
	if remote.IsAddress(at.BaseURL) {
		q, err := m.queue(at)
		if err != nil {
			return server, "", err
		}
		return llm.Server[llm.Embedder]{Provider: q.Embedder(name), Limiter: m.limiter(at)}, q.Server(), nil
	}
	client, err := m.client(openai.Config{EmbeddingModel: name}, at)
	if err != nil {
		return server, "", err
	}
	return llm.Server[llm.Embedder]{Provider: client.Embedder(), Limiter: m.limiter(at)}, client.Server(), nil
}

// queue returns the queue at the address of an endpoint, whose key is the token.
func (m *models) queue(at config.Endpoint) (*remote.Queue, error) {
	name := at.BaseURL + "\n" + at.Key
	if q := m.queues[name]; q != nil {
		return q, nil
	}
	q, err := remote.New(remote.Config{URL: at.BaseURL, Token: at.Key, Logger: m.log})
	if err != nil {
		return nil, usage("--base-url: %w", err)
	}
	m.queues[name] = q
	m.clients = append(m.clients, q)
	return q, nil
}

// client returns a client of a server for the model in a configuration.
func (m *models) client(c openai.Config, at config.Endpoint) (*openai.Client, error) {
	c.BaseURL, c.Key, c.Params, c.Concurrency = at.BaseURL, at.Key, at.Params, m.options.concurrency()
	c.Timeout, c.IdleTimeout, c.Section = at.Calls.Timeout, at.Calls.IdleTimeout, at.Calls.Section
	c.Known = m.known.Server(at.BaseURL, cmp.Or(c.Model, c.EmbeddingModel))
	client, err := openai.New(c)
	if err != nil {
		return nil, usage("--base-url: %w", err)
	}
	m.clients = append(m.clients, client)
	return client, nil
}

// limiter returns the limiter of a model.
func (m *models) limiter(at config.Endpoint) *llm.Limiter {
	if m.limiters[at.BaseURL] == nil {
		m.limiters[at.BaseURL] = llm.NewLimiter(llm.Limits{Concurrent: m.options.concurrency()})
	}
	model := at.BaseURL + "\n" + at.Model
	if m.limiters[model] == nil {
		m.limiters[model] = m.limiters[at.BaseURL].ForModel(llm.Limits{
			RequestsPerMinute: at.Calls.RequestsPerMinute, TokensPerMinute: at.Calls.TokensPerMinute,
			Logger:   m.log.With("server", config.HostOf(at.BaseURL), "model", at.Model),
			Activity: m.activity, Server: config.HostOf(at.BaseURL),
		})
	}
	return m.limiters[model]
}
