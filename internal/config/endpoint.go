package config

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
)

// An Endpoint is a model on a server, with the key for that server.
type Endpoint struct {
	BaseURL string
	More    []string // addresses of further servers of the same model, with the same key
	Key     string
	Model   string
	Params  map[string]any
	Price   llm.Price
	Calls   CallLimits
	OpenAI  bool // the server is OpenAI's own

	MaxTokens    int    // of an answer of the task; a parameter of the server's own counts too
	MaxTokensKey string // the setting to raise it with
	Context      int    // tokens of prompt and answer together; 0: not set

	maxTokensChosen bool // by the user

	origin              Origin // layer that chose the server
	section             string // whose parameters, limit and prices these are
	inPriced, outPriced bool   // the prices are known
	listed              bool   // the prices are from the built-in list
}

// ID distinguishes endpoints. It contains the key: never print it.
func (e Endpoint) ID() string {
	params, _ := json.Marshal(e.Params) // they were decoded from JSON
	return strings.Join([]string{e.BaseURL, e.Key, e.Model, string(params), fmt.Sprint(e.Price, e.Calls, e.Context, e.More)}, "\n")
}

// Use lists which models a command calls.
type Use struct {
	Chat  bool     // a chat model
	Tasks []string // names of tasks, which may have separate models
}

// modelKeys returns the keys that request a model.
func (u Use) modelKeys() []string {
	keys := []string{"models.chat.base_url"}
	if u.Chat {
		keys = append(keys, "models.chat.model")
	}
	keys = append(keys, "models.embedding.model", "models.embedding.base_url")
	for _, task := range u.Tasks {
		keys = append(keys, "models."+task+".model", "models."+task+".base_url")
	}
	return keys
}

// Offline reports whether no model is used. If one layer of settings says offline and
// another names a model, the later layer wins: default, file, environment, flag. In the
// same layer offline wins, but as flags the two are an error.
func (c *Config) Offline(use Use) (bool, error) {
	offline := c.Get("offline")
	if offline.Text() != "true" {
		return false, nil
	}
	for _, key := range use.modelKeys() {
		model := c.Get(key)
		switch {
		case model.Text() == "" || model.Origin < offline.Origin || model.Origin == offline.Origin && model.Origin != FromFlag:
		case model.Origin > offline.Origin:
			return false, nil
		default:
			return false, mistake("--offline uses no model: remove --base-url, --model and --embedding-model")
		}
	}
	return true, nil
}

// ChatEndpoint returns the chat model for all tasks. Its BaseURL is "" if there is
// neither a model nor a key, or only the server of an embedding model.
func (c *Config) ChatEndpoint(use Use) (Endpoint, error) {
	base, model := c.Get("models.chat.base_url"), c.Text("models.chat.model")
	e := Endpoint{origin: base.Origin, Model: model, OpenAI: true}
	if err := e.setServers(base); err != nil {
		return e, err
	}
	var err error
	if e.Key, err = c.key(e, "models.chat.api_key_env", e.addresses()); err != nil {
		return e, err
	}
	named := func(key string) bool { return c.Text(key) != "" }
	switch {
	case e.BaseURL == "" && e.Key == "" && c.onlyEmbeds(use):
		return Endpoint{}, nil
	case e.BaseURL == "" && e.Key == "" && slices.ContainsFunc(use.modelKeys(), named):
		return e, mistake("--model: set %s to use OpenAI, or give the --base-url of another server", EnvOpenAIKey)
	case e.BaseURL == "" && e.Key == "":
		return Endpoint{}, nil
	case !e.OpenAI && model == "" && use.Chat:
		return e, mistake("--base-url: give --model NAME too, or --embedding-base-url instead for a server that only embeds")
	case e.OpenAI && e.Key == "":
		return e, mistake("--base-url %s: set %s", e.BaseURL, EnvOpenAIKey)
	case e.OpenAI:
		e.Model = cmp.Or(model, openAIChatModel)
	}
	e.BaseURL = cmp.Or(e.BaseURL, openai.DefaultBaseURL)
	e, err = c.withDetails(e.withoutDetails("chat"), "chat")
	return c.withListedPrice(e), err
}

// onlyEmbeds reports whether a server of an embedding model is named, and no other model.
func (c *Config) onlyEmbeds(use Use) bool {
	for _, key := range use.modelKeys() {
		if !strings.HasPrefix(key, "models.embedding.") && c.Text(key) != "" {
			return false
		}
	}
	return c.Text("models.embedding.base_url") != ""
}

// TaskEndpoint returns the model of a task. Values that the task lacks are taken from
// the chat model, as far as it is on the same server.
func (c *Config) TaskEndpoint(task string, chat Endpoint) (Endpoint, error) {
	e, err := c.onServerOf(task, chat)
	if err != nil {
		return e, err
	}
	if model := c.Text("models." + task + ".model"); model != "" {
		e.Model = model
	} else if !sameServer(e.BaseURL, chat.BaseURL) {
		return e, mistake("models.%s.base_url: give --model-%s NAME, or models.%s.model, too", task, task, task)
	}
	if e.Model != chat.Model || !sameServer(e.BaseURL, chat.BaseURL) {
		e = e.withoutDetails(task)
	}
	e, err = c.withDetails(e, task)
	return c.withListedPrice(e.withDefaultMaxTokens(task)), err
}

// EmbeddingEndpoint returns the embedding model. Its Model is "" if none is named
// and the server has no default.
func (c *Config) EmbeddingEndpoint(chat Endpoint) (Endpoint, error) {
	e, err := c.onServerOf("embedding", chat)
	if err != nil {
		return e, err
	}
	e = e.withoutDetails("embedding")
	c.readPrice(&e.Price.In, &e.inPriced, "models.embedding.price_in")
	e.Calls = c.callLimits("embedding", CallLimits{})
	override(c, &e.Context, "models.embedding.context")
	e.Model = c.Text("models.embedding.model")
	if e.Model == "" && e.OpenAI {
		e.Model = openAIEmbeddingModel
	}
	if e.Model == "" && c.Text("models.embedding.base_url") != "" {
		return e, mistake("--embedding-base-url: give --embedding-model NAME too")
	}
	return c.withListedPrice(e), nil
}

// RerankEndpoint returns the reranking model. Its BaseURL is "" if there is none.
func (c *Config) RerankEndpoint() (Endpoint, error) {
	base := c.Get("models.rerank.base_url")
	e := Endpoint{BaseURL: base.Text(), origin: base.Origin, OpenAI: isOpenAI(base.Text()), Model: c.Text("models.rerank.model")}
	if e.BaseURL == "" {
		return e, nil
	}
	e.Calls = c.callLimits("rerank", CallLimits{})
	var err error
	e.Key, err = c.key(e, "models.rerank.api_key_env", nil)
	return e, err
}

// onServerOf returns the chat endpoint moved to the server of a section, with the
// key for that server.
func (c *Config) onServerOf(section string, chat Endpoint) (Endpoint, error) {
	baseKey, variableKey := "models."+section+".base_url", "models."+section+".api_key_env"
	e := chat
	base := c.Get(baseKey)
	if err := e.setServers(base); err != nil {
		return e, err
	}
	if _, ok := foreign(e.addresses(), chat.addresses()); !ok && e.BaseURL != "" && c.Text(variableKey) == "" {
		return e, nil
	}
	var chatServers []string
	if chat.origin != FromDefault {
		chatServers = chat.addresses()
	}
	var err error
	if e.Key, err = c.key(e, variableKey, chatServers); err != nil {
		return e, err
	}
	if e.OpenAI && e.Key == "" {
		return e, mistake("%s %s: set %s", cmp.Or(base.Where, baseKey), e.BaseURL, EnvOpenAIKey)
	}
	return e, nil
}

// Servers returns the endpoint with each of its addresses.
func (e Endpoint) Servers() []Endpoint {
	all := make([]Endpoint, 0, 1+len(e.More))
	for _, address := range e.addresses() {
		one := e
		one.BaseURL, one.More = address, nil
		all = append(all, one)
	}
	return all
}

// Hosts returns the hosts and ports of the servers, separated by commas.
func (e Endpoint) Hosts() string {
	var hosts []string
	for _, address := range e.addresses() {
		hosts = append(hosts, HostOf(address))
	}
	return strings.Join(hosts, ",")
}

// addresses returns the addresses of an endpoint, none without one.
func (e Endpoint) addresses() []string {
	if e.BaseURL == "" {
		return nil
	}
	return append(one(e.BaseURL), e.More...)
}

// setServers sets the servers of an endpoint to the addresses of a setting, if it has any.
func (e *Endpoint) setServers(base Value) error {
	var all []string
	for _, address := range base.Items {
		if address = strings.TrimSpace(address); address != "" && !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if len(all) > 1 && slices.ContainsFunc(all, isOpenAI) {
		return mistake("%s: OpenAI is not one of several servers: name it alone, or only servers that have the same model and key", cmp.Or(base.Where, base.Name))
	}
	e.BaseURL, e.More, e.origin, e.OpenAI = all[0], all[1:], base.Origin, isOpenAI(all[0])
	return nil
}

// withDetails adds the parameters, limits and prices of a section; those that it lacks
// stay.
func (c *Config) withDetails(e Endpoint, section string) (Endpoint, error) {
	if given := c.Items("models." + section + ".parameters"); len(given) > 0 {
		e.Params = map[string]any{}
		for _, item := range given {
			name, value, _ := ParseParameter(item) // Load checked it
			e.Params[name] = value
		}
	}
	e.Calls = c.callLimits(section, e.Calls)
	override(c, &e.Context, "models."+section+".context")
	c.readPrice(&e.Price.In, &e.inPriced, "models."+section+".price_in")
	c.readPrice(&e.Price.Out, &e.outPriced, "models."+section+".price_out")
	return e, c.readMaxTokens(&e, section)
}

// withoutDetails returns the endpoint with the parameters, limits and prices of a section
// that sets none. Timeouts stay, since they belong to the server.
func (e Endpoint) withoutDetails(section string) Endpoint {
	calls := CallLimits{Timeout: e.Calls.Timeout, IdleTimeout: e.Calls.IdleTimeout, Section: e.Calls.Section}
	return Endpoint{BaseURL: e.BaseURL, More: e.More, Key: e.Key, Model: e.Model, Calls: calls, OpenAI: e.OpenAI, origin: e.origin, section: section}
}

const openAIHost = "api.openai.com"

func isOpenAI(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "https" && strings.EqualFold(u.Hostname(), openAIHost)
}

// sameServer reports whether two addresses are on the same server: equal scheme,
// host and port. All addresses of OpenAI are on one server.
func sameServer(a, b string) bool {
	if a == b && a != "" || isOpenAI(a) && isOpenAI(b) {
		return true
	}
	u, err := url.Parse(a)
	v, verr := url.Parse(b)
	return err == nil && verr == nil && u.Host != "" && u.Scheme == v.Scheme && strings.EqualFold(u.Host, v.Host)
}

// HostOf returns host and port of an address, without anything else that it may
// contain, such as a password.
func HostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the server"
	}
	return u.Host
}
