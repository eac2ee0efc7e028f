package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/option"

	"github.com/neorag/neorag/internal/llm/httplimit"
)

const (
	askTime  = time.Second // for all requests together
	maxAsked = 3           // times, for a server that loads the model with the first call
	maxList  = 4 << 20     // bytes of an answer about models
)

// The owners under which servers list their models.
const (
	ownerOllama   = "library"
	ownerLlamaCpp = "llamacpp"
	ownerLMStudio = "organization_owner"
	ownerVLLM     = "vllm"
)

// askContext asks the server for the context of the model: with the list of models, which is
// enough for vLLM and many routers, and with one request more at local servers that state it
// elsewhere. Errors are ignored. again means that the server may know more after a call.
func (c chat) askContext(ctx context.Context) (tokens int, again bool) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var list struct {
		Data []struct {
			ID      string `json:"id"`
			OwnedBy string `json:"owned_by"`
			modelContext
		} `json:"data"`
	}
	if !c.ask(ctx, "models", nil, &list) {
		return 0, false
	}
	owner := ""
	for _, m := range list.Data {
		if owner = m.OwnedBy; m.ID == c.config.Model {
			if n := m.tokens(); n > 0 {
				c.window.owner = owner
				return n, false
			}
			break
		}
	}
	c.window.owner = owner
	switch owner {
	case ownerLlamaCpp:
		return c.askLlamaCpp(ctx), false
	case ownerLMStudio:
		n := c.askLMStudio(ctx)
		return n, n == 0
	case ownerOllama:
		n := c.askOllama(ctx)
		return n, n == 0
	}
	return 0, false
}

// A modelContext is the context of a model in a list, under the names that servers use.
type modelContext struct {
	MaxModelLen   int `json:"max_model_len"`         // vLLM, SGLang
	Loaded        int `json:"loaded_context_length"` // LM Studio
	ContextLength int `json:"context_length"`        // OpenRouter, Together
	ContextWindow int `json:"context_window"`        // Groq
	MaxContext    int `json:"max_context_length"`    // Mistral, LM Studio
}

func (m modelContext) tokens() int {
	for _, n := range []int{m.MaxModelLen, m.Loaded, m.ContextLength, m.ContextWindow, m.MaxContext} {
		if n >= leastContext && n <= mostContext {
			return n
		}
	}
	return 0
}

func (c chat) askLlamaCpp(ctx context.Context) int {
	var props struct {
		Default struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	c.ask(ctx, "/props", nil, &props)
	return modelContext{Loaded: props.Default.Context}.tokens()
}

// askLMStudio returns the context that a model is loaded with. The most that it could have is
// not what LM Studio loads it with.
func (c chat) askLMStudio(ctx context.Context) int {
	var list struct {
		Data []struct {
			ID string `json:"id"`
			modelContext
		} `json:"data"`
	}
	c.ask(ctx, "/api/v0/models", nil, &list)
	for _, m := range list.Data {
		if m.ID == c.config.Model {
			return modelContext{Loaded: m.Loaded}.tokens()
		}
	}
	return 0
}

// numCtx matches the context in the parameters of a model of Ollama.
var numCtx = regexp.MustCompile(`(?m)^num_ctx\s+(\d+)`)

// askOllama returns the context of a model that is loaded, or that its parameters set. The
// context that a model was trained with is not the one that Ollama loads it with.
func (c chat) askOllama(ctx context.Context) int {
	var loaded struct {
		Models []struct {
			Name  string `json:"name"`
			Model string `json:"model"`
			modelContext
		} `json:"models"`
	}
	c.ask(ctx, "/api/ps", nil, &loaded)
	for _, m := range loaded.Models {
		if own := c.config.Model; m.Name == own || m.Model == own || m.Name == own+":latest" {
			if n := m.tokens(); n > 0 {
				return n
			}
		}
	}
	var shown struct {
		Parameters string `json:"parameters"`
	}
	c.ask(ctx, "/api/show", map[string]string{"model": c.config.Model}, &shown)
	if m := numCtx.FindStringSubmatch(shown.Parameters); m != nil {
		n, _ := strconv.Atoi(m[1])
		return modelContext{Loaded: n}.tokens()
	}
	return 0
}

// ask requests a JSON document of the server, by POST if there is a body, and reports whether
// it came. A path that begins with a slash is not below the base URL.
func (c chat) ask(ctx context.Context, path string, body, into any) bool {
	options := []option.RequestOption{}
	if strings.HasPrefix(path, "/") {
		u := *c.address
		u.Path, u.RawPath = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1")+"/", ""
		options = append(options, option.WithBaseURL(u.String()))
		path = strings.TrimPrefix(path, "/")
	}
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	var res *http.Response
	err := c.sdk.Execute(ctx, method, path, body, &res, options...)
	if res == nil {
		return false
	}
	defer func() { _ = res.Body.Close() }()
	if err != nil || res.StatusCode != http.StatusOK {
		return false
	}
	b, err := io.ReadAll(httplimit.Reader(res.Body, maxList))
	return err == nil && json.Unmarshal(b, into) == nil
}
