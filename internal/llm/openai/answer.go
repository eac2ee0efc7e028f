package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/llm"
)

// completion is an answer, or a chunk of a streamed one.
type completion struct {
	Choices []struct {
		FinishReason string      `json:"finish_reason"`
		Message      messagePart `json:"message"`
		Delta        messagePart `json:"delta"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type messagePart struct {
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

// content is text. Some servers send it as a list of parts.
type content string

// UnmarshalJSON decodes a string, null, or a list of parts with text.
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

// answer accumulates what a server sends.
type answer struct {
	stream    func(string)
	raw       strings.Builder
	filter    thinkFilter
	reasoning int // bytes of reasoning, which are billed
	refusal   string
	finish    string
	hasChoice bool
	usage     *usage
}

// add adds a completion.
func (a *answer) add(c completion) error {
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return errorInBody(c.Error)
	}
	if c.Usage != nil {
		a.usage = c.Usage
	}
	if len(c.Choices) == 0 {
		return nil
	}
	a.hasChoice = true
	choice := c.Choices[0]
	for _, p := range []messagePart{choice.Message, choice.Delta} {
		a.raw.WriteString(string(p.Content))
		a.reasoning += len(p.Reasoning)
		a.refusal += p.Refusal
		if a.stream != nil && p.Content != "" {
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
		a.stream(text)
	}
}

// flush delivers what the filter holds back.
func (a *answer) flush() {
	if a.stream != nil {
		a.send(a.filter.flush())
	}
}

// maxLine is the length in bytes of the longest line of a stream that is read.
const maxLine = 16 << 20

// readEvents reads a stream of server-sent events. It skips comments, which servers send
// to keep the connection open, and fields other than data.
func (a *answer) readEvents(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
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
			return &llm.Error{Status: 200, Retryable: true, Message: "the server's stream contains an event that is not JSON"}
		}
		if err := a.add(piece); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if a.finish == "" {
		return &llm.Error{Status: 200, Retryable: true, Message: "the server's stream ended before the answer was complete"}
	}
	a.flush()
	return nil
}

// check returns an error for an answer that is truncated, filtered or a refusal.
func (a *answer) check() error {
	switch {
	case a.finish == "length" || a.finish == "max_tokens":
		return &llm.AnswerError{Kind: llm.ErrTruncated, Text: stripThink(a.raw.String())}
	case a.finish == "content_filter":
		return &llm.Error{Status: 200, Message: "the server's content filter blocked the answer, perhaps because of the text in the request"}
	case a.refusal != "" && a.raw.Len() == 0:
		return &llm.Error{Status: 200, Message: "the model refused to answer: " + shorten(a.refusal)}
	}
	return nil
}

// response returns what is known of the answer, even if it failed.
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
	// The server does not report usage: estimate it, so that costs are not 0.
	for _, m := range req.Messages {
		r.Usage.TokensIn += int64(llm.EstimateTokens(m.Content))
	}
	r.Usage.TokensOut = int64((a.raw.Len()+a.reasoning)/3 + 1)
	return r
}
