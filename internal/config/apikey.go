package config

import (
	"cmp"

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
// variableKey is the key of the setting that names the variable; chatServer is the
// address that was set for the chat model, "" for none.
func (c *Config) key(e Endpoint, variableKey, chatServer string) (string, error) {
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
	server := cmp.Or(e.BaseURL, openai.DefaultBaseURL)
	serverOf := map[string]string{
		EnvOpenAIKey: cmp.Or(c.getenv(EnvOpenAIBaseURL), openai.DefaultBaseURL),
		EnvAPIKey:    cmp.Or(c.getenv(EnvBaseURL), chatServer),
	}
	if name != "" {
		if serverOf[name] != "" && !sameServer(server, serverOf[name]) {
			return "", mistake("%s is the key of another server and is not sent to %s: put the key for %s into a separate variable and name that in %s", name, HostOf(server), HostOf(server), variable.Name)
		}
		key := c.getenv(name)
		if key == "" {
			return "", mistake("%s is not set, but %s names it as the key for %s", name, variable.Where, HostOf(server))
		}
		return key, nil
	}
	if key := c.getenv(EnvAPIKey); key != "" && e.BaseURL != "" && sameServer(server, serverOf[EnvAPIKey]) {
		return key, nil
	}
	if sameServer(server, serverOf[EnvOpenAIKey]) {
		return c.getenv(EnvOpenAIKey), nil
	}
	return "", nil
}
