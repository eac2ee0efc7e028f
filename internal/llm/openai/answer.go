package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/llm"
)

// completion is an answer, or a piece of one.
type completion struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      part   `json:"message"`
		Delta        part   `json:"delta"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type part struct {
	Content   content `json:"content"`
	Reasoning string  `json:"reasoning_content"`
	Refusal   string  `json:"refusal"`
}

type usage struct {
	PromptTokens     int64 `json:"prompt_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
	Details          struct {
		CachedTokens int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// content is text, which some servers send in parts.
type content string

// UnmarshalJSON reads a string, null, or a list of parts with text.
func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		var parts []struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(b, &parts); err != nil {
			return err
		}
		for _, p := range parts {
			*c += content(p.Text)
		}
		return nil
	}
	return json.Unmarshal(b, (*string)(c))
}

// answer gathers what a server sends.
type answer struct {
	deliver   func(string)
	raw       strings.Builder
	filter    thinkFilter
	reasoning int // bytes of it: they are paid for
	refusal   string
	finish    string
	chosen    bool
	usage     *usage
}

// take adds a piece.
func (a *answer) take(c completion) error {
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return midway(c.Error)
	}
	if c.Usage != nil {
		a.usage = c.Usage
	}
	if len(c.Choices) == 0 {
		return nil
	}
	a.chosen = true
	choice := c.Choices[0]
	for _, p := range []part{choice.Message, choice.Delta} {
		a.raw.WriteString(string(p.Content))
		a.reasoning += len(p.Reasoning)
		a.refusal += p.Refusal
		if a.deliver != nil && p.Content != "" {
			a.send(a.filter.push(string(p.Content)))
		}
	}
	if choice.FinishReason != "" {
		a.finish = choice.FinishReason
	}
	return nil
}

func (a *answer) send(text string) {
	if text != "" {
		a.deliver(text)
	}
}

// flush delivers what the filter held back.
func (a *answer) flush() {
	if a.deliver != nil {
		a.send(a.filter.end())
	}
}

// mostLine is the longest line of a stream that is read.
const mostLine = 16 << 20

// readEvents reads a stream of server-sent events. Comments, which servers send
// to keep a connection open, and fields other than data are skipped.
func (a *answer) readEvents(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), mostLine)
	for lines.Scan() {
		data, found := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		data = bytes.TrimSpace(data)
		if !found || len(data) == 0 {
			continue
		}
		if string(data) == "[DONE]" {
			break
		}
		var piece completion
		if err := json.Unmarshal(data, &piece); err != nil {
			return &llm.Error{Status: 200, Retryable: true, Message: "the server's stream holds a piece that is not JSON"}
		}
		if err := a.take(piece); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if a.finish == "" {
		return &llm.Error{Status: 200, Retryable: true, Message: "the server's stream broke off before the end of the answer"}
	}
	a.flush()
	return nil
}

// verdict says whether the answer is one.
func (a *answer) verdict() error {
	switch {
	case a.finish == "length" || a.finish == "max_tokens":
		return &llm.AnswerError{Kind: llm.ErrTruncated, Text: stripThink(a.raw.String())}
	case a.finish == "content_filter":
		return &llm.Error{Status: 200, Message: "the server's content filter withheld the answer: the text asked about may be the reason"}
	case a.refusal != "" && a.raw.Len() == 0:
		return &llm.Error{Status: 200, Message: "the model refused to answer: " + brief(a.refusal)}
	}
	return nil
}

// response is what is known of the answer, also of one that failed.
func (a *answer) response(req llm.Request) llm.Response {
	r := llm.Response{Text: stripThink(a.raw.String()), Finish: llm.FinishStop}
	if a.finish == "length" || a.finish == "max_tokens" {
		r.Finish = llm.FinishLength
	}
	r.Usage.Calls = 1
	if a.usage != nil {
		r.Usage.TokensIn, r.Usage.TokensOut = a.usage.PromptTokens, a.usage.CompletionTokens
		r.Usage.CachedTokens = a.usage.Details.CachedTokens
		return r
	}
	// A server that does not count is counted for: costs must not read 0.
	for _, m := range req.Messages {
		r.Usage.TokensIn += int64(llm.EstimateTokens(m.Content))
	}
	r.Usage.TokensOut = int64((a.raw.Len()+a.reasoning)/3 + 1)
	return r
}
