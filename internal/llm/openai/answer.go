package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
)

// completion is an answer, or a chunk of a streamed one.
type completion struct {
	Choices firstChoice     `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// firstChoice is the first of the choices, nil if there is none. The others are not
// decoded: millions of empty ones would take much more memory than their text.
type firstChoice struct{ *choice }

type choice struct {
	FinishReason string      `json:"finish_reason"`
	Message      messagePart `json:"message"`
	Delta        messagePart `json:"delta"`
}

// UnmarshalJSON decodes the first element of a list.
func (f *firstChoice) UnmarshalJSON(b []byte) error {
	d, err := openList(b)
	if err != nil || d == nil || !d.More() {
		return err
	}
	f.choice = &choice{}
	return d.Decode(f.choice)
}

// openList returns a decoder of the elements of a list, nil for null.
func openList(b []byte) (*json.Decoder, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	switch open, err := d.Token(); {
	case err != nil:
		return nil, err
	case open == nil:
		return nil, nil
	case open != json.Delim('['):
		return nil, fmt.Errorf("got %v instead of a list", open)
	}
	return d, nil
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

// maxTokens is far above what any model reads or writes in one call, and far below where
// sums of it overflow.
const maxTokens = 1 << 40

// counts returns the tokens of one call. It is false if the server reports none, or numbers
// that cannot be true.
func (u *usage) counts() (llm.Usage, bool) {
	if u == nil || min(u.PromptTokens, u.CompletionTokens) < 0 || max(u.PromptTokens, u.CompletionTokens) > maxTokens {
		return llm.Usage{Calls: 1}, false
	}
	cached := min(max(u.Details.CachedTokens, 0), u.PromptTokens)
	return llm.Usage{Calls: 1, TokensIn: u.PromptTokens, TokensOut: u.CompletionTokens, CachedTokens: cached}, true
}

// content is text. Some servers send it as a list of parts.
type content string

// UnmarshalJSON decodes a string, null, or a list of parts with text.
func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		d, err := openList(b)
		if err != nil {
			return err
		}
		var text strings.Builder
		for d.More() {
			var part struct {
				Text string `json:"text"`
			}
			if err := d.Decode(&part); err != nil {
				return err
			}
			text.WriteString(part.Text)
		}
		*c = content(text.String())
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
	refusal   strings.Builder
	finish    string
	hasChoice bool
	hasError  bool // the server sent an error as its answer
	usage     *usage
}

// add adds a completion.
func (a *answer) add(c completion) error {
	if len(c.Error) > 0 && string(c.Error) != "null" {
		a.hasError = true
		return errorInBody(c.Error)
	}
	if c.Usage != nil {
		a.usage = c.Usage
	}
	choice := c.Choices.choice
	if choice == nil {
		return nil
	}
	a.hasChoice = true
	for _, p := range []messagePart{choice.Message, choice.Delta} {
		a.raw.WriteString(string(p.Content))
		a.reasoning += len(p.Reasoning)
		a.refusal.WriteString(p.Refusal)
		if a.raw.Len()+a.reasoning+a.refusal.Len() > maxText {
			return &httplimit.TooLargeError{Limit: maxText}
		}
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
			if lines.Err() != nil {
				break // the end of the event is missing
			}
			return &llm.Error{Status: 200, Retryable: true, Message: "the server's stream contains an event that is not JSON"}
		}
		if err := a.add(piece); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &httplimit.TooLargeError{Limit: maxLine}
	} else if err != nil {
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
	case finishes[strings.ToLower(a.finish)] == llm.FinishLength:
		return &llm.AnswerError{Kind: llm.ErrTruncated, Text: stripThink(a.raw.String())}
	case a.finish == "error" || a.finish == "abort":
		return &llm.Error{Status: 200, Retryable: true, Message: "the server broke the answer off (finish_reason " + a.finish + ")"}
	case a.finish == "content_filter":
		return &llm.Error{Status: 200, Message: "the server's content filter blocked the answer, perhaps because of the text in the request"}
	case a.refusal.Len() > 0 && a.raw.Len() == 0:
		return &llm.Error{Status: 200, Message: "the model refused to answer: " + shorten(a.refusal.String())}
	}
	return nil
}

// refused reports whether the server sent an error and nothing of an answer before it.
func (a *answer) refused() bool {
	return a.hasError && a.usage == nil && a.raw.Len()+a.reasoning == 0
}

// finishes are the reasons of servers why an answer ended. Others do not show that it
// is complete.
var finishes = map[string]string{
	"stop": llm.FinishStop, "eos": llm.FinishStop, "eos_token": llm.FinishStop, "stop_sequence": llm.FinishStop, "end_turn": llm.FinishStop,
	"tool_calls": llm.FinishStop, "function_call": llm.FinishStop, "length": llm.FinishLength, "max_tokens": llm.FinishLength,
}

// response returns what is known of the answer, even if it failed.
func (a *answer) response(req llm.Request) llm.Response {
	used, reported := a.usage.counts()
	r := llm.Response{
		Text: stripThink(a.raw.String()), Finish: cmp.Or(finishes[strings.ToLower(a.finish)], llm.FinishUnknown),
		Usage: used, Estimated: !reported,
	}
	if reported {
		return r
	}
	// The server does not report usage: estimate it, so that costs are not 0.
	for _, m := range req.Messages {
		r.Usage.TokensIn += int64(llm.EstimateTokens(m.Content))
	}
	r.Usage.TokensOut = int64((a.raw.Len()+a.reasoning)/3 + 1)
	return r
}
