package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	"github.com/openai/openai-go/shared"

	"github.com/neorag/neorag/internal/llm"
)

// chat is the chat model of a server.
type chat struct{ *Client }

func (c chat) Model() string       { return c.config.Model }
func (c chat) Fingerprint() string { return c.fingerprint(c.config.Params) }

// Chat makes one attempt. It returns an llm.AnswerError for an answer that was cut off at
// its token limit.
func (c chat) Chat(ctx context.Context, req llm.Request) (llm.Response, error) {
	if c.config.Model == "" {
		return llm.Response{}, errors.New("no chat model is set: set models.chat.model")
	}
	attempt, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	res, err := c.send(attempt, "chat/completions", c.config.Model, func(without func(string) bool) (any, []option.RequestOption) {
		return c.body(req, without)
	})
	if err != nil {
		return llm.Response{}, c.failure(ctx, c.config.Model, err)
	}
	defer func() { _ = res.Body.Close() }()
	a := answer{stream: req.Stream}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		err = a.readEvents(res.Body)
	} else {
		err = a.readWhole(res.Body)
	}
	if err != nil {
		err = c.failure(ctx, c.config.Model, err)
	} else {
		err = a.check()
	}
	return a.response(req), err
}

// body returns the body of the request, without the parameters that the server does not
// support, and options for further fields.
func (c chat) body(req llm.Request, without func(string) bool) (any, []option.RequestOption) {
	p := sdk.ChatCompletionNewParams{Model: c.config.Model, Messages: messages(req.Messages)}
	var options []option.RequestOption
	if !without("temperature") {
		p.Temperature = sdk.Float(req.Temperature)
	}
	if req.MaxTokens > 0 {
		switch {
		case !without("max_tokens"):
			p.MaxTokens = sdk.Int(int64(req.MaxTokens))
		case !without("max_completion_tokens"):
			p.MaxCompletionTokens = sdk.Int(int64(req.MaxTokens))
		}
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
	if req.Stream != nil {
		options = append(options, option.WithJSONSet("stream", true))
		if !without("stream_options") {
			p.StreamOptions.IncludeUsage = sdk.Bool(true)
		}
	}
	for name, value := range c.config.Params {
		options = append(options, option.WithJSONSet(name, value))
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

// send posts a request, and again without each parameter that the server reports as
// unsupported. It returns only responses with a 2xx status; the caller closes the body.
func (c *Client) send(ctx context.Context, path, model string, body func(without func(string) bool) (any, []option.RequestOption)) (*http.Response, error) {
	for {
		unsupported := c.unsupported.list()
		params, options := body(func(name string) bool { return unsupported[name] })
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
		if !c.unsupported.learn(refused.Status, refused.text, refused.param, unsupported) {
			return nil, refused.llm
		}
	}
}

// maxAnswer bounds how many bytes of an answer are read. No model writes more.
const maxAnswer = 64 << 20

// readWhole reads an answer that is not streamed.
func (a *answer) readWhole(body io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(body, maxAnswer))
	if err != nil {
		return err
	}
	var whole completion
	if json.Unmarshal(b, &whole) != nil {
		return &llm.Error{Status: http.StatusOK, Message: "the server's answer is not JSON: check base_url, which usually ends in /v1"}
	}
	if err := a.add(whole); err != nil {
		return err
	}
	if !a.hasChoice {
		return &llm.Error{Status: http.StatusOK, Retryable: true, Message: "the server's answer contains no choice"}
	}
	a.flush()
	return nil
}
