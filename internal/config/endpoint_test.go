package config

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/openai"
)

// TestKeysStayOnTheirServers checks which key goes to which server, with servers and
// variables chosen in every layer.
func TestKeysStayOnTheirServers(t *testing.T) {
	t.Parallel()
	const (
		one, two = "http://one.test/v1", "http://two.test/v1"
		ownKey   = "key-of-neorag"
		openAI   = "key-of-openai"
		queue    = "nats://one.test"
	)
	chat := "models: {chat: {base_url: \"" + one + "\", model: m"
	atTwo := "}, map: {base_url: \"" + two + "\", model: m"
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		flags      map[string]string // by key
		chat, task string            // keys of the chat model and of the model for map
		err        string
	}{
		{name: "the key of the chat server", file: chat + "}}", chat: ownKey, task: ownKey},
		{name: "a named key", file: chat + ", api_key_env: ONE_API_KEY}}", chat: "key-of-one", task: "key-of-one"},
		{name: "a named key, the server overridden by a flag", file: chat + ", api_key_env: ONE_API_KEY}}", flags: map[string]string{"models.chat.base_url": two}, chat: ownKey, task: ownKey},
		{name: "a named key, the server overridden by a variable", file: chat + ", api_key_env: ONE_API_KEY}}", env: map[string]string{"NEORAG_BASE_URL": two}, chat: ownKey, task: ownKey},
		{name: "a server from a variable, overridden by a flag", env: map[string]string{"NEORAG_BASE_URL": two}, flags: map[string]string{"models.chat.base_url": one, "models.chat.model": "m"}},
		{name: "a task on another server", file: chat + atTwo + "}}", chat: ownKey},
		{name: "a task on another server with a named key", file: chat + atTwo + ", api_key_env: TWO_API_KEY}}", chat: ownKey, task: "key-of-two"},
		{name: "a task's named key, its server overridden by a variable", file: chat + strings.Replace(atTwo, two, one, 1) + ", api_key_env: ONE_API_KEY}}", env: map[string]string{"NEORAG_BASE_URL_MAP": two}, chat: ownKey},
		{name: "another name of a task's model", file: chat + "}}", flags: map[string]string{"models.map.model": "other"}, chat: ownKey, task: ownKey},
		{name: "OpenAI's key for another server", file: chat + ", api_key_env: OPENAI_API_KEY}}", err: "OPENAI_API_KEY is the key of another server"},
		{name: "OpenAI's key for a task's server", file: chat + atTwo + ", api_key_env: OPENAI_API_KEY}}", err: "OPENAI_API_KEY is the key of another server"},
		{name: "the chat server's key for a task's server", file: chat + atTwo + ", api_key_env: NEORAG_API_KEY}}", err: "NEORAG_API_KEY is the key of another server"},
		{name: "OpenAI's key with its own address", env: map[string]string{"OPENAI_BASE_URL": two, "NEORAG_API_KEY": ""}, flags: map[string]string{"models.chat.model": "m"}, chat: openAI, task: openAI},
		{name: "OpenAI", env: map[string]string{"NEORAG_API_KEY": ""}, chat: openAI, task: openAI},
		{name: "several servers", file: strings.Replace(chat, "\""+one+"\"", "["+one+", "+two+"]", 1) + "}}", chat: ownKey, task: ownKey},
		{name: "several servers of a variable", env: map[string]string{"NEORAG_BASE_URL": one + ", " + two}, chat: ownKey, task: ownKey},
		{name: "a server that the variable does not name", env: map[string]string{"NEORAG_BASE_URL": one}, flags: map[string]string{"models.chat.base_url": one + "," + two}},
		{name: "a task on one of several servers", file: strings.Replace(chat+atTwo, "\""+one+"\"", "["+one+", "+two+"]", 1) + "}}", chat: ownKey, task: ownKey},
		{name: "a task on the chat server and another one", file: chat + strings.Replace(atTwo, "\""+two+"\"", "["+one+", "+two+"]", 1) + "}}", chat: ownKey},
		{name: "OpenAI among several servers", flags: map[string]string{"models.chat.base_url": one + "," + openai.DefaultBaseURL}, err: "OpenAI is not one of several servers"},
		{name: "the token of a queue", flags: map[string]string{"models.chat.base_url": queue}, chat: ownKey, task: ownKey},
		{name: "a queue that the variable does not name", env: map[string]string{"NEORAG_BASE_URL": one}, flags: map[string]string{"models.chat.base_url": queue}},
		{name: "the same host with another scheme", env: map[string]string{"NEORAG_BASE_URL": "tls://one.test"}, flags: map[string]string{"models.chat.base_url": queue}},
		{name: "a task's queue on the host of the chat server", file: chat + strings.Replace(atTwo, two, queue, 1) + "}}", chat: ownKey},
		{name: "OpenAI's key for a queue", flags: map[string]string{"models.chat.base_url": queue, "models.chat.api_key_env": "OPENAI_API_KEY"}, err: "OPENAI_API_KEY is the key of another server"},
		{name: "a variable that is not set", file: chat + ", api_key_env: NO_API_KEY}}", err: "NO_API_KEY is not set"},
		{name: "a task's server without a model", file: chat + "}, map: {base_url: \"" + two + "\"}}", err: "give --model-map NAME"},
		{name: "a variable that holds something else", file: chat + "}}", env: map[string]string{"NEORAG_API_KEY_ENV": "NEO4J_PASSWORD"}, err: "ending in _API_KEY"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"OPENAI_API_KEY": openAI, "NEORAG_API_KEY": ownKey, "ONE_API_KEY": "key-of-one", "TWO_API_KEY": "key-of-two", "NEORAG_MODEL": "m"}
			maps.Copy(env, tt.env)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, FileName), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			general, task, err := endpoints(Sources{
				File: filepath.Join(dir, FileName), Getenv: func(name string) string { return env[name] },
				Flag: func(s Setting) ([]string, bool) { v, given := tt.flags[s.Name]; return strings.Split(v, ","), given },
			})
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got the keys %q and %q, %v, want the error %q", general.Key, task.Key, err, tt.err)
				}
				return
			}
			if err != nil || general.Key != tt.chat || task.Key != tt.task {
				t.Errorf("got the keys %q and %q, %v, want %q and %q", general.Key, task.Key, err, tt.chat, tt.task)
			}
		})
	}
}

// TestEmbeddingServerAlone names the server of an embedding model, and no chat model.
func TestEmbeddingServerAlone(t *testing.T) {
	t.Parallel()
	const server = "http://vectors.test/v1"
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		chat       string // address of the chat model, "" for none
		err        string
	}{
		{name: "nothing else", file: "models: {embedding: {base_url: \"" + server + "\", model: v}}"},
		{name: "the key of a server that is not used", file: "models: {embedding: {base_url: \"" + server + "\", model: v}}", env: map[string]string{"NEORAG_API_KEY": "key"}},
		{name: "OpenAI's key", file: "models: {embedding: {base_url: \"" + server + "\", model: v}}", env: map[string]string{"OPENAI_API_KEY": "key"}, chat: openai.DefaultBaseURL},
		{name: "the model of a task", file: "models: {embedding: {base_url: \"" + server + "\", model: v}, map: {model: m}}", err: "give the --base-url"},
		{name: "no server", file: "models: {embedding: {model: v}}", err: "give the --base-url"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, FileName), []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(Sources{File: filepath.Join(dir, FileName), Getenv: func(name string) string { return tt.env[name] }, Flag: func(Setting) ([]string, bool) { return nil, false }})
		if err != nil {
			t.Fatal(err)
		}
		chat, err := c.ChatEndpoint(Use{Chat: true, Tasks: []string{"map"}})
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %q", tt.name, err, tt.err)
			}
			continue
		}
		if err != nil || chat.BaseURL != tt.chat {
			t.Errorf("%s: the chat model is at %q, %v, want %q", tt.name, chat.BaseURL, err, tt.chat)
		}
		at, err := c.EmbeddingEndpoint(chat)
		if err != nil || at.BaseURL != server || at.Model != "v" || at.Key != "" {
			t.Errorf("%s: the embedding model is %s at %q with the key %q, %v", tt.name, at.Model, at.BaseURL, at.Key, err)
		}
	}
}

// endpoints returns the chat model and the model for map.
func endpoints(s Sources) (general, task Endpoint, err error) {
	c, err := Load(s)
	if err != nil {
		return general, task, err
	}
	if general, err = c.ChatEndpoint(Use{Chat: true, Tasks: []string{"map"}}); err != nil {
		return general, task, err
	}
	task, err = c.TaskEndpoint("map", general)
	return general, task, err
}

func TestOffline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		env, flags map[string]string // env by variable, flags by key
		want       bool
		err        string
	}{
		{name: "neither"},
		{name: "a flag", flags: map[string]string{"offline": "true"}, want: true},
		{name: "a flag over a variable", flags: map[string]string{"offline": "true"}, env: map[string]string{"NEORAG_MODEL": "m"}, want: true},
		{name: "two variables", env: map[string]string{"NEORAG_OFFLINE": "true", "NEORAG_MODEL": "m"}, want: true},
		{name: "a model's flag over a variable", flags: map[string]string{"models.chat.model": "m"}, env: map[string]string{"NEORAG_OFFLINE": "true"}},
		{name: "a task's model over a variable", flags: map[string]string{"models.map.model": "m"}, env: map[string]string{"NEORAG_OFFLINE": "true"}},
		{name: "both as flags", flags: map[string]string{"offline": "true", "models.chat.model": "m"}, err: "--offline uses no model"},
	} {
		c, err := Load(Sources{
			Dir: t.TempDir(), Getenv: func(name string) string { return tt.env[name] },
			Flag: func(s Setting) ([]string, bool) { v, given := tt.flags[s.Name]; return []string{v}, given },
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Offline(Use{Chat: true, Tasks: []string{"map"}})
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: Offline: got %v, %v, want %v, %q", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// TestMaxTokens finds the token limit of a task, and the setting that raises it.
func TestMaxTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, chat, task string // keys of the sections
		want             int
		key, err         string
	}{
		{name: "the default", want: 4096, key: "models.map.max_tokens"},
		{name: "of the chat model", chat: "max_tokens: 9000", want: 9000, key: "models.chat.max_tokens"},
		{name: "of the task", chat: "max_tokens: 9000", task: "max_tokens: 700", want: 700, key: "models.map.max_tokens"},
		{name: "of another model", chat: "max_tokens: 9000", task: "model: n", want: 4096, key: "models.map.max_tokens"},
		{name: "a parameter", chat: "max_tokens: 9000, parameters: {max_completion_tokens: 300}", want: 300, key: "max_completion_tokens in models.chat.parameters"},
		{name: "a parameter of the task", chat: "max_tokens: 9000", task: "parameters: {max_tokens: 300}", want: 300, key: "max_tokens in models.map.parameters"},
		{name: "of the task, with a parameter of the chat model", chat: "parameters: {max_tokens: 300}", task: "max_tokens: 700", want: 700, key: "models.map.max_tokens"},
		{name: "no number", chat: "parameters: {max_tokens: many}", err: "max_tokens: give a number of tokens above 0"},
		{name: "zero", task: "max_tokens: 0", err: "models.map.max_tokens: expected a whole number from 1 to 2000000"},
	} {
		task, err := mapEndpoint(t, tt.chat, tt.task)
		switch {
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.err)
		case tt.err == "" && (err != nil || task.MaxTokens != tt.want || task.MaxTokensKey != tt.key):
			t.Errorf("%s: got %d by %s, %v, want %d by %s", tt.name, task.MaxTokens, task.MaxTokensKey, err, tt.want, tt.key)
		}
	}
}

// TestMissingPrices names the settings of prices that are not known. A price of 0 is.
func TestMissingPrices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ chat, task, want string }{
		{"", "", "models.chat.price_in models.chat.price_out"},
		{"price_in: 1", "", "models.chat.price_out"},
		{"price_in: 1, price_out: 0", "", ""},
		{"price_in: 1, price_out: 0", "model: n", "models.map.price_in models.map.price_out"},
		{"price_in: 1", "model: n, price_out: 2", "models.map.price_in"},
	} {
		task, err := mapEndpoint(t, tt.chat, tt.task)
		if got := strings.Join(task.MissingPrices(), " "); err != nil || got != tt.want {
			t.Errorf("%s, %s: got %q, %v, want %q", tt.chat, tt.task, got, err, tt.want)
		}
	}
}

// mapEndpoint returns the endpoint of the task map, for settings of the chat model and of
// the task.
func mapEndpoint(t *testing.T, chat, task string) (Endpoint, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	text := "models: {chat: {base_url: \"http://one.test/v1\", model: m, " + chat + "}, map: {" + task + "}}"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, at, err := endpoints(Sources{File: path, Getenv: func(string) string { return "" }})
	return at, err
}

// TestContext finds the context of the model of a task.
func TestContext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		chat, task string
		want       int
	}{
		{"", "", 0},
		{"context: 4096", "", 4096},
		{"context: 4096", "context: 2048", 2048},
		{"context: 4096", "model: n", 0},
		{"context: 4096", "model: n, context: 8192", 8192},
	} {
		task, err := mapEndpoint(t, tt.chat, tt.task)
		if err != nil || task.Context != tt.want {
			t.Errorf("%s, %s: got %d, %v, want %d", tt.chat, tt.task, task.Context, err, tt.want)
		}
	}
}
