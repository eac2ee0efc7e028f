package openai

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	"github.com/openai/openai-go/shared"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
)

// TokenLimitParams are the names under which servers take the token limit of an answer.
// Newer models of OpenAI require the second.
var TokenLimitParams = []string{"max_tokens", "max_completion_tokens"}

// chat is the chat model of a server.
type chat struct{ *Client }

func (c chat) Model() string       { return c.config.Model }
func (c chat) Fingerprint() string { return c.fingerprint(c.config.Params) }

// Parameters returns what the function of that name returns for the parameters of the client.
func (c chat) Parameters() string { return Parameters(c.config.Params) }

// Parameters returns the parameters of a Config that change answers, as JSON: all but token limits,
// which complete answers do not reach. It is "" for none.
func Parameters(params map[string]any) string {
	rest := maps.Clone(params)
	for _, name := range TokenLimitParams {
		delete(rest, name)
	}
	if len(rest) == 0 {
		return ""
	}
	return encode(rest)
}

// Chat makes one attempt. It returns an llm.AnswerError for an answer that was cut off at
// its token limit, or in which the model repeats itself without end. Ollama, llama.cpp, LM Studio
// and vLLM are always asked to stream, so that a loop ends early: small models loop most. Of other
// servers, and of proxies in front of them, it is not known that they can.
func (c chat) Chat(ctx context.Context, req llm.Request) (llm.Response, error) {
	if c.config.Model == "" {
		return llm.Response{}, errors.New("no chat model is set: set models.chat.model")
	}
	attempt, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	attempt, sent := traceSent(attempt)
	a := answer{client: c.Client, stream: req.Stream}
	sends := shape{stream: req.Stream != nil || c.canStream(), roles: hasRoles(req.Messages)}
	res, err := c.send(attempt, "chat/completions", c.config.Model, sends,
		func(f known.Facts) (any, []option.RequestOption) { return c.body(req, sends, f) })
	if err != nil {
		if sent() && unanswered(err) {
			return a.response(req), c.failure(ctx, c.config.Model, err)
		}
		return llm.Response{}, c.failure(ctx, c.config.Model, err)
	}
	defer func() { _ = res.Body.Close() }()
	err = a.read(res.Body, res.Header.Get("Content-Type"), req.MaxTokens)
	if err == nil && a.looped {
		err = ctx.Err() // the user has ended an answer that is not complete
	}
	if err != nil && a.refused() {
		return llm.Response{}, c.failure(ctx, c.config.Model, err)
	}
	if err != nil {
		err = c.failure(ctx, c.config.Model, err)
	} else {
		err = a.check()
	}
	return a.response(req), err
}

// maxTokensParam returns the name under which the token limit is sent: the one that the
// user's parameters have, max_completion_tokens if the server refuses max_tokens.
func (c chat) maxTokensParam(without func(string) bool) string {
	name, other := TokenLimitParams[0], TokenLimitParams[1]
	if _, given := c.config.Params[other]; given {
		name, other = other, name
	}
	if !without(name) {
		return name
	}
	if !without(other) {
		return other
	}
	return ""
}

// body returns the body of a request of that shape, without what the server is known to refuse, and
// options for further fields.
func (c chat) body(req llm.Request, sends shape, f known.Facts) (any, []option.RequestOption) {
	without := func(name string) bool { return slices.Contains(f.Without, name) }
	if f.OneMessage {
		req.Messages = oneMessage(req.Messages)
	}
	p := sdk.ChatCompletionNewParams{Model: c.config.Model, Messages: messages(req.Messages)}
	var options []option.RequestOption
	if !without("temperature") {
		p.Temperature = sdk.Float(req.Temperature)
	}
	if req.Seed != nil && !without("seed") {
		p.Seed = sdk.Int(*req.Seed)
	}
	if len(req.LogitBias) > 0 && !without("logit_bias") {
		p.LogitBias = req.LogitBias
	}
	switch {
	case req.Schema != nil:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: req.Schema.Name, Schema: req.Schema.JSON, Strict: sdk.Bool(true),
		}}
	case req.JSON:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	if sends.stream && !f.WholeAnswers {
		options = append(options, option.WithJSONSet("stream", true))
		if !without("stream_options") {
			p.StreamOptions.IncludeUsage = sdk.Bool(true)
		}
	}
	for name, value := range c.config.Params {
		if req.MaxTokens > 0 && slices.Contains(TokenLimitParams, name) {
			continue // the request has the limit, which may be lower
		}
		options = append(options, option.WithJSONSet(name, value))
	}
	if name := c.maxTokensParam(without); req.MaxTokens > 0 && name != "" {
		options = append(options, option.WithJSONSet(name, req.MaxTokens))
	}
	return p, options
}

func messages(from []llm.Message) []sdk.ChatCompletionMessageParamUnion {
	out := make([]sdk.ChatCompletionMessageParamUnion, 0, len(from))
	for _, m := range from {
		switch m.Role {
		case "system":
			out = append(out, sdk.SystemMessage(m.Content))
		case "assistant":
			out = append(out, sdk.AssistantMessage(m.Content))
		default:
			out = append(out, sdk.UserMessage(m.Content))
		}
	}
	return out
}

// send posts a request, and again without each thing that the server reports as
// unsupported. It returns only responses with a 2xx status; the caller closes the body.
func (c *Client) send(ctx context.Context, path, model string, sent shape, body func(known.Facts) (any, []option.RequestOption)) (*http.Response, error) {
	for {
		facts := c.config.Known.Facts()
		params, options := body(facts)
		var res *http.Response
		err := c.sdk.Post(ctx, path, params, &res, options...)
		if res == nil {
			return nil, err
		}
		llm.ReportLimits(ctx, rateLimits(res.Header))
		if err == nil && res.StatusCode < http.StatusMultipleChoices {
			return res, nil
		}
		refused := c.readRefusal(model, res)
		if !c.learn(refused, sent, facts) {
			return nil, refused.llm
		}
	}
}
