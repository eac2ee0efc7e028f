package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/openai"
)

// key returns the key for the server of an endpoint.
//
// A variable named in the settings counts, unless a higher layer chose the server:
// then it was named for another server. The two variables with fixed names each
// belong to one server and go to no other: OPENAI_API_KEY to the server of
// OPENAI_BASE_URL, or else to OpenAI; NEORAG_API_KEY to the server of NEORAG_BASE_URL, or
// else to the server of the chat model.
//
// A key goes to all servers of an endpoint or to none.
//
// variableKey is the key of the setting that names the variable; chatServers are the
// addresses that were set for the chat model.
func (c *Config) key(e Endpoint, variableKey string, chatServers []string) (string, error) {
	variable := c.Get(variableKey)
	name := variable.Text()
	if name != "" {
		if err := variable.Check(name); err != nil {
			return "", mistake("%s: %v", variable.Where, err)
		}
	}
	if name != "" && variable.Origin < e.origin {
		if c.warn != nil {
			c.warn(name + " is not used: " + variable.Where + " names it for a server that --base-url or " + EnvBaseURL + " overrides")
		}
		name = ""
	}
	servers := append(one(cmp.Or(e.BaseURL, openai.DefaultBaseURL)), e.More...)
	serversOf := map[string][]string{EnvOpenAIKey: one(openai.DefaultBaseURL), EnvAPIKey: chatServers}
	for variable, addresses := range map[string]string{EnvOpenAIKey: c.getenv(EnvOpenAIBaseURL), EnvAPIKey: c.getenv(EnvBaseURL)} {
		if addresses != "" {
			serversOf[variable] = strings.Split(addresses, ",")
		}
	}
	if name != "" {
		if other, ok := foreign(servers, serversOf[name]); ok && len(serversOf[name]) > 0 {
			return "", mistake("%s is the key of another server and is not sent to %s: put the key for %s into a separate variable and name that in %s", name, HostOf(other), HostOf(other), variable.Name)
		}
		key := c.getenv(name)
		if key == "" {
			return "", mistake("%s is not set, but %s names it as the key for %s", name, variable.Where, HostOf(servers[0]))
		}
		return key, nil
	}
	if key := c.getenv(EnvAPIKey); key != "" && e.BaseURL != "" {
		if _, ok := foreign(servers, serversOf[EnvAPIKey]); !ok {
			return key, nil
		}
	}
	if _, ok := foreign(servers, serversOf[EnvOpenAIKey]); !ok {
		return c.getenv(EnvOpenAIKey), nil
	}
	return "", nil
}

// foreign returns the first address that is on none of some servers.
func foreign(addresses, servers []string) (address string, ok bool) {
	for _, a := range addresses {
		if !slices.ContainsFunc(servers, func(s string) bool { return sameServer(a, strings.TrimSpace(s)) }) {
			return a, true
		}
	}
	return "", false
}
