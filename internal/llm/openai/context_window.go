package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
)

// Bounds of a context that is believed.
const (
	leastContext = 128
	mostContext  = 1 << 30
)

// A contextWindow is what a client knows of the context of its model, in addition to the
// facts that are learnt.
type contextWindow struct {
	mu      sync.Mutex
	asked   int    // how often the server was asked
	stated  int    // the context that the server stated when it was asked
	refused int    // the context that a refusal stated since the client was made
	owner   string // of the model, as the server lists it, which shows the kind of server
}

// Context returns the tokens of prompt and answer together: of the settings, else as they are known
// for a hosted model, else as the server states them when it is asked, at the first use, else as a
// refusal of an earlier run stated them. A refusal since the client was made that stated fewer has
// precedence over all of these.
func (c chat) Context(ctx context.Context) int {
	c.window.mu.Lock()
	defer c.window.mu.Unlock()
	n := cmp.Or(c.config.Context, c.hostedContext())
	if n == 0 {
		n = cmp.Or(c.askedContext(ctx), c.config.Known.Facts().Context)
	}
	if refused := c.window.refused; refused > 0 && (n == 0 || refused < n) {
		return refused
	}
	return n
}

// hostedContext returns the context that is known for a model of a hosted server, 0 for another one.
func (c chat) hostedContext() int {
	if c.isLocal() {
		return 0
	}
	return knownContext(c.config.Model)
}

// askedContext returns the context that the server states, 0 if it states none. It is remembered by
// the client alone: a server that is started again may have another one.
func (c chat) askedContext(ctx context.Context) int {
	w := &c.window
	if w.asked >= maxAsked || c.config.Model == "" || strings.EqualFold(c.address.Hostname(), openAIHost) { // which states none
		return w.stated
	}
	w.asked++
	n, again := c.askContext(ctx)
	if n > 0 {
		w.stated = n
	}
	if w.stated > 0 || !again && ctx.Err() == nil {
		w.asked = maxAsked
	}
	return w.stated
}

// canStream reports whether the server is of a kind that streams all answers.
func (c *Client) canStream() bool {
	c.window.mu.Lock()
	defer c.window.mu.Unlock()
	switch c.window.owner {
	case ownerOllama, ownerLlamaCpp, ownerLMStudio, ownerVLLM:
		return true
	}
	return false
}

// isLocal reports whether the server is on this machine or in its network. Such servers give
// their models any names, also names of hosted ones.
func (c *Client) isLocal() bool {
	host := strings.ToLower(c.address.Hostname())
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")
}

// ContextAdvice names what raises the context.
func (c chat) ContextAdvice() string {
	c.window.mu.Lock()
	owner := c.window.owner
	c.window.mu.Unlock()
	at := "the option of the server, such as OLLAMA_CONTEXT_LENGTH of Ollama, -c of llama.cpp, Context Length of LM Studio"
	switch {
	case owner == ownerOllama || c.address.Port() == "11434":
		at = "OLLAMA_CONTEXT_LENGTH or num_ctx of Ollama"
	case owner == ownerLlamaCpp:
		at = "the option -c of llama.cpp"
	case owner == ownerLMStudio || c.address.Port() == "1234":
		at = "Context Length of the model in LM Studio"
	case owner == ownerVLLM:
		at = "the option --max-model-len of vLLM"
	}
	if c.config.Context > 0 {
		return at + "; " + c.contextSetting() + " is " + strconv.Itoa(c.config.Context)
	}
	return at + ", or " + c.contextSetting() + " if the model has more than the server states"
}

func (c chat) contextSetting() string { return c.config.Section + ".context" }

// contextForms are the sentences with which servers refuse a prompt that is longer than the
// context, in lower case; the group is the context.
var contextForms = sync.OnceValue(func() []*regexp.Regexp {
	var forms []*regexp.Regexp
	for _, form := range []string{
		`(?:maximum|max|available) context (?:length|size|window)(?: (?:is|of|only|has))*[ (:=]+(\d+)`,
		`context (?:length|size|window) (?:is|of|limit of)(?: only)? (\d+)`,                                 // LM Studio
		`(\d+)(?: tokens?)? maximum context length`,                                                         // Mistral
		`context (?:length|size|window)[^0-9]{0,40}\((\d+)(?: tokens)?\)`,                                   // LocalAI, llama-cpp-python
		`prompt is too long: \d+ tokens > (\d+)`,                                                            // Anthropic
		`input token count[^0-9]{0,10}\d+[^0-9]{1,10}exceeds the maximum number of tokens allowed \(?(\d+)`, // Google
		`max_new_tokens. must be <= (\d+)`,                                                                  // TGI
		`.inputs. must have less than (\d+) tokens`,                                                         // TGI
		`exceeds? (?:the )?(?:model's )?(?:maximum )?context (?:length|size|window)[^0-9]{0,20}(\d+)`,
	} {
		forms = append(forms, regexp.MustCompile(form))
	}
	return forms
})

// statedContext returns the context that a refusal states, 0 if it states none.
func statedContext(body string) int {
	body = strings.ReplaceAll(strings.ToLower(body), ",", "")
	for _, form := range contextForms() {
		if m := form.FindStringSubmatch(body); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n >= leastContext && n <= mostContext {
				return n
			}
		}
	}
	return 0
}

// learnContext marks the refusal of a text that is too long, and records the context that it
// states. body is what the server sent, nil if it is not known.
func (c *Client) learnContext(refused *llm.Error, d errorDetails, body []byte) {
	if !refused.RefusesContent() && refused.Status != http.StatusOK && refused.Status < http.StatusInternalServerError {
		return
	}
	var llamaCpp struct {
		Error struct {
			Context int `json:"n_ctx"`
		} `json:"error"`
	}
	var validation struct {
		Detail json.RawMessage `json:"detail"`
	}
	if refused.Status == http.StatusUnprocessableEntity && (json.Unmarshal(body, &validation) != nil || validation.Detail != nil) {
		return // it quotes the request
	}
	n := statedContext(d.Message)
	if json.Unmarshal(body, &llamaCpp) == nil {
		n = cmp.Or(modelContext{Loaded: llamaCpp.Error.Context}.tokens(), n)
	}
	if n == 0 && (!refused.RefusesContent() || !d.tooLong()) {
		return
	}
	refused.Status, refused.Cause, refused.Retryable = http.StatusBadRequest, llm.ErrTooLong, false
	if n == 0 {
		return
	}
	c.window.mu.Lock()
	c.window.refused = n
	c.window.mu.Unlock()
	c.config.Known.Learn(func(f *known.Facts) { f.Context = n })
}
