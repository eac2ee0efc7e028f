package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
)

const (
	envBaseURL       = "NEORAG_BASE_URL"
	envOpenAIBaseURL = "OPENAI_BASE_URL"
)

// An endpoint is a model on a server, with the key for that server.
type endpoint struct {
	base, key        string
	model, embedding string
	params           map[string]any
	price            llm.Price
	official         bool   // OpenAI's own server
	chosen           origin // layer that chose the server
}

// name tells endpoints apart. It holds the key, so it is never shown.
func (e endpoint) name() string {
	params, _ := json.Marshal(e.params) // they were read from JSON
	return strings.Join([]string{e.base, e.key, e.model, string(params), fmt.Sprint(e.price)}, "\n")
}

// offline tells that no model is wanted. Of offline and a model, that of the
// higher layer holds; both as flags contradict each other.
func (c *command) offline(cc *ucli.Context) (bool, error) {
	if !cc.Bool("offline") {
		return false, nil
	}
	layer := c.get(cc, "offline").from
	for _, flag := range modelSettings(cc) {
		model := c.get(cc, flag)
		switch {
		case model.text() == "" || model.from < layer || model.from == layer && layer != fromFlag:
		case model.from > layer:
			return false, nil
		default:
			return false, usage("--offline uses no model: leave out --base-url, --model and --embedding-model")
		}
	}
	return true, nil
}

// generalEndpoint is where the chat model is. Without a model and a key it is empty.
func (c *command) generalEndpoint(cc *ucli.Context) (endpoint, error) {
	base, model := c.get(cc, "base-url"), c.get(cc, "model").text()
	e := endpoint{base: base.text(), chosen: base.from, model: model, official: base.text() == "" || isOpenAI(base.text())}
	var err error
	if e.key, err = c.key(cc, e, "api-key-env", e.base); err != nil {
		return e, err
	}
	switch {
	case e.base == "" && e.key == "" && c.wantsModel(cc):
		return e, usage("--model: set %s for OpenAI, or give --base-url of another server", envOpenAIKey)
	case e.base == "" && e.key == "":
		return endpoint{}, nil
	case !e.official && model == "" && hasFlag(cc, "model"):
		return e, usage("--base-url: give --model NAME too")
	case e.official && e.key == "":
		return e, usage("--base-url %s: set %s", e.base, envOpenAIKey)
	case e.official:
		e.model = cmp.Or(model, openAIChat)
	}
	e.base = cmp.Or(e.base, openai.DefaultBaseURL)
	return c.details(cc, e, "")
}

// modelSettings are the flags of a command that ask for a model.
func modelSettings(cc *ucli.Context) []string {
	flags := []string{"base-url", "model", "embedding-model", "embedding-base-url"}
	for _, t := range tasks {
		flags = append(flags, "model-"+t.name, "base-url-"+t.name)
	}
	return slices.DeleteFunc(flags, func(flag string) bool { return !hasFlag(cc, flag) })
}

// wantsModel tells that some model is named.
func (c *command) wantsModel(cc *ucli.Context) bool {
	return slices.ContainsFunc(modelSettings(cc), func(flag string) bool { return c.get(cc, flag).text() != "" })
}

// taskEndpoint is where the model of a task is: what is not said of it is as with
// the general one, as far as that is on the same server.
func (c *command) taskEndpoint(cc *ucli.Context, task string, general endpoint) (endpoint, error) {
	e, err := c.place(cc, general, "base-url-"+task, "api-key-env-"+task)
	if err != nil {
		return e, err
	}
	if model := c.get(cc, "model-"+task).text(); model != "" {
		e.model = model
	} else if !sameServer(e.base, general.base) {
		return e, usage("--base-url-%s: give --model-%s NAME too", task, task)
	}
	if e.model != general.model || !sameServer(e.base, general.base) {
		e.params, e.price = nil, llm.Price{}
	}
	return c.details(cc, e, "-"+task)
}

// embeddingEndpoint is where the embedding model is, without its name.
func (c *command) embeddingEndpoint(cc *ucli.Context, general endpoint) (endpoint, error) {
	e, err := c.place(cc, general, "embedding-base-url", "embedding-api-key-env")
	if err != nil {
		return e, err
	}
	e.params, e.price = nil, llm.Price{}
	e.price.In, err = c.number(cc, "embedding-price-in", 0)
	return e, err
}

// place is the general endpoint at the address, and with the key, of another.
func (c *command) place(cc *ucli.Context, general endpoint, address, variable string) (endpoint, error) {
	e := general
	if base := c.get(cc, address); base.text() != "" {
		e.base, e.chosen, e.official = base.text(), base.from, isOpenAI(base.text())
	}
	if sameServer(e.base, general.base) && c.get(cc, variable).text() == "" {
		return e, nil
	}
	chat := ""
	if general.chosen != fromDefault {
		chat = general.base
	}
	var err error
	if e.key, err = c.key(cc, e, variable, chat); err != nil {
		return e, err
	}
	if e.official && e.key == "" {
		return e, usage("--%s %s: set %s", address, e.base, envOpenAIKey)
	}
	return e, nil
}

// key finds the key of a server. A variable that is named holds, unless the
// server was chosen in a higher layer: it was named for another one then. The
// variables without a name have servers of their own and go nowhere else:
// OPENAI_API_KEY that of OPENAI_BASE_URL or else OpenAI's, NEORAG_API_KEY that of
// NEORAG_BASE_URL or else of the chat model.
// Chat is the address that was set for the chat model.
func (c *command) key(cc *ucli.Context, e endpoint, flag, chat string) (string, error) {
	named := c.get(cc, flag)
	name := named.text()
	if name != "" {
		if err := named.Check(name); err != nil {
			return "", usage("--%s: %v", flag, err)
		}
	}
	if name != "" && named.from < e.chosen {
		c.note(cc, "%s is not used: %s names it for another server than --base-url or %s", name, named.where, envBaseURL)
		name = ""
	}
	server := cmp.Or(e.base, openai.DefaultBaseURL)
	home := map[string]string{
		envOpenAIKey: cmp.Or(c.env.Getenv(envOpenAIBaseURL), openai.DefaultBaseURL),
		envAPIKey:    cmp.Or(c.env.Getenv(envBaseURL), chat),
	}
	host := host(server)
	if name != "" {
		if home[name] != "" && !sameServer(server, home[name]) {
			return "", usage("%s is the key of another server and does not go to %s: give that key a variable of its own, and its name in %s", name, host, named.Name)
		}
		key := c.env.Getenv(name)
		if key == "" {
			return "", usage("%s is not set: %s says that it holds the key of %s", name, named.where, host)
		}
		return key, nil
	}
	if key := c.env.Getenv(envAPIKey); key != "" && e.base != "" && sameServer(server, home[envAPIKey]) {
		return key, nil
	}
	if sameServer(server, home[envOpenAIKey]) {
		return c.env.Getenv(envOpenAIKey), nil
	}
	return "", nil
}

// details adds parameters and prices; those that are not given stay.
func (c *command) details(cc *ucli.Context, e endpoint, suffix string) (endpoint, error) {
	if given := c.get(cc, "parameter"+suffix); len(given.items) > 0 {
		e.params = map[string]any{}
		for _, item := range given.items {
			name, value, err := config.ParseParameter(item)
			if err != nil {
				return e, usage("--parameter%s: %v", suffix, err)
			}
			e.params[name] = value
		}
	}
	var err error
	if e.price.In, err = c.number(cc, "price-in"+suffix, e.price.In); err != nil {
		return e, err
	}
	e.price.Out, err = c.number(cc, "price-out"+suffix, e.price.Out)
	return e, err
}

func (c *command) number(cc *ucli.Context, flag string, otherwise float64) (float64, error) {
	text := c.get(cc, flag).text()
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		return 0, usage("--%s: give a number from 0", flag)
	}
	return n, nil
}

func isOpenAI(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "https" && strings.EqualFold(u.Hostname(), openAIHost)
}

// sameServer tells that two addresses are of one server: scheme, host and port.
// All addresses of OpenAI are one.
func sameServer(a, b string) bool {
	if a == b && a != "" || isOpenAI(a) && isOpenAI(b) {
		return true
	}
	u, err := url.Parse(a)
	v, verr := url.Parse(b)
	return err == nil && verr == nil && u.Host != "" && u.Scheme == v.Scheme && strings.EqualFold(u.Host, v.Host)
}

// host names a server without what else an address may hold.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the server"
	}
	return u.Host
}
