package openai

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
)

// answer accumulates what a server sends.
type answer struct {
	client    *Client
	stream    func(string)
	text      pieces
	reasoning pieces // which is billed
	refusal   pieces
	call      strings.Builder // arguments of a function
	filter    cleaner
	finish    string
	hasChoice bool
	done      bool         // nothing of the answer follows
	looped    bool         // the model repeats a passage without end
	once      string       // the text with that passage once, if looped
	hasError  bool         // the server sent an error as its answer
	said      errorDetails // what the server said without a choice
	usage     usage
}

// add adds a completion, which was decoded from raw.
func (a *answer) add(c completion, raw []byte) error {
	a.usage.merge(c.Usage)
	if isError(c.Error) {
		if len(raw) <= maxQuoted {
			return a.fail(raw) // other fields may have the message
		}
		return a.fail(c.Error)
	}
	choice := c.Choices.choice
	if choice == nil {
		return a.addRest(raw)
	}
	a.hasChoice = true
	if isError(choice.Error) {
		return a.fail(choice.Error)
	}
	delta, message := choice.Delta, choice.Message
	fresh := a.text.next(delta.Content.text, cmp.Or(message.Content.text, choice.Text.text))
	a.reasoning.next(delta.reasoning(), message.reasoning())
	a.refusal.next(string(delta.Refusal), string(message.Refusal))
	a.call.WriteString(cmp.Or(delta.call(), message.call()))
	if a.size() > maxText {
		return &httplimit.TooLargeError{Limit: maxText}
	}
	if choice.FinishReason != "" {
		a.finish = string(choice.FinishReason)
	}
	if !a.endLoop(loopStep) {
		a.show(fresh)
	}
	return nil
}

// endLoop ends an answer in which the model repeats a passage without end, in its text or in its
// reasoning, so that a streamed answer does not continue until its token limit. It looks for one if
// at least step bytes came since the last look, and reports whether there is one.
func (a *answer) endLoop(step int) bool {
	once, looped := a.text.loops(step)
	if !looped {
		once = a.text.text.String()
		_, looped = a.reasoning.loops(step)
	}
	if looped {
		a.looped, a.once, a.done, a.finish = true, once, true, llm.FinishLength
	}
	return a.looped
}

// addRest takes what a server sends besides choices. An object that is marked as an error is
// one. Any other may be usage, a sign of life, or an error without a mark, which is what the
// server said if no answer follows.
func (a *answer) addRest(raw []byte) error {
	var marks struct {
		Object scalar `json:"object"`
		Type   scalar `json:"type"`
	}
	if len(raw) > maxQuoted || !decodes(raw, &marks) {
		return nil
	}
	if marks.Object == "error" || marks.Type == "error" {
		return a.fail(raw)
	}
	if said := a.client.words(raw); said.known {
		a.said = said
	}
	return nil
}

// fail returns the error that a server sent as its answer.
func (a *answer) fail(raw []byte) error {
	a.hasError = true
	return a.client.errorInBody(a.client.words(raw))
}

// size returns the bytes of all that was kept.
func (a *answer) size() int {
	return a.text.text.Len() + a.reasoning.text.Len() + a.refusal.text.Len() + a.call.Len()
}

// show delivers new text.
func (a *answer) show(fresh string) {
	if a.stream == nil || fresh == "" {
		return
	}
	if text := a.filter.push(fresh); text != "" {
		a.stream(text)
	}
}

// end returns an error if the answer is not complete. It delivers what is held back.
func (a *answer) end() error {
	switch {
	case !a.hasChoice && a.said.known:
		a.hasError = true
		return a.client.errorInBody(a.said)
	case !a.hasChoice && a.done:
		return &llm.Error{Status: http.StatusOK, Retryable: true, Message: "the server's answer contains no choice"}
	case a.finish == "" && !a.done:
		return &llm.Error{Status: http.StatusOK, Retryable: true, Message: "the server's stream ended before the answer was complete" + inBrackets(a.said.Message)}
	}
	fresh := a.text.flush()
	if a.looped || a.endLoop(1) {
		return nil
	}
	a.show(fresh)
	if a.stream != nil {
		if text := a.filter.flush(); text != "" {
			a.stream(text)
		}
	}
	return nil
}

// check returns an error for an answer that is truncated, filtered or a refusal.
func (a *answer) check() error {
	switch {
	case a.looped:
		return &llm.AnswerError{Kind: llm.ErrTruncated, Reason: llm.ErrLoop, Text: a.clean()}
	case finishes[strings.ToLower(a.finish)] == llm.FinishLength:
		return &llm.AnswerError{Kind: llm.ErrTruncated, Text: a.clean()}
	case a.finish == "error" || a.finish == "abort":
		return &llm.Error{Status: http.StatusOK, Retryable: true, Message: "the server broke the answer off (finish_reason " + a.finish + ")"}
	case a.finish == "content_filter":
		return &llm.Error{Status: http.StatusOK, Message: "the server's content filter blocked the answer, perhaps because of the text in the request"}
	case a.refusal.text.Len() > 0 && a.text.text.Len() == 0:
		return &llm.Error{Status: http.StatusOK, Message: "the model refused to answer: " + shorten(a.refusal.text.String())}
	}
	return nil
}

// refused reports whether the server sent an error and nothing of an answer before it.
func (a *answer) refused() bool {
	return a.hasError && a.usage == usage{} && a.size() == 0
}

// clean returns the text without reasoning, and without the copies of a loop.
func (a *answer) clean() string {
	if a.looped {
		return cleanAnswer(a.once)
	}
	return cleanAnswer(a.text.text.String())
}

// finishes are the reasons of servers why an answer ended. Others do not show that it
// is complete.
var finishes = map[string]string{
	"stop": llm.FinishStop, "eos": llm.FinishStop, "eos_token": llm.FinishStop, "stop_sequence": llm.FinishStop, "end_turn": llm.FinishStop, "complete": llm.FinishStop,
	"tool_calls": llm.FinishStop, "function_call": llm.FinishStop,
	"length": llm.FinishLength, "max_tokens": llm.FinishLength, "max_output_tokens": llm.FinishLength, "model_length": llm.FinishLength,
}

// finishOf returns why the answer ended. An answer that arrived whole is complete without a
// reason, unless it is as long as the request allows.
func (a *answer) finishOf(used llm.Usage, maxTokens int) string {
	if a.finish == "" && a.done && (maxTokens <= 0 || used.TokensOut < int64(maxTokens)) {
		return llm.FinishStop
	}
	return cmp.Or(finishes[strings.ToLower(a.finish)], llm.FinishUnknown)
}

// response returns what is known of the answer, even if it failed.
func (a *answer) response(req llm.Request) llm.Response {
	r := llm.Response{Text: a.clean(), Reasoning: cmp.Or(a.call.String(), a.reasoning.text.String()), Usage: a.usage.tokens()}
	if r.Reasoning == "" && r.Text == "" {
		r.Reasoning = strings.TrimSpace(a.text.text.String()) // the text is a block of reasoning
	}
	written := a.text.text.Len() + a.reasoning.text.Len() + a.call.Len()
	asked := 0
	for _, m := range req.Messages {
		asked += len(m.Content)
	}
	if r.Usage.TokensIn == 0 && asked > 0 || r.Usage.TokensOut == 0 && (written > 0 || r.Usage.TokensIn == 0) {
		// What the server reports cannot be true: estimate it, so that costs are not 0.
		r.Estimated = true
		estimated := llm.Usage{TokensOut: int64(written/3 + 1)}
		for _, m := range req.Messages {
			estimated.TokensIn += int64(llm.EstimateTokens(m.Content))
		}
		r.Usage.TokensIn, r.Usage.TokensOut = max(r.Usage.TokensIn, estimated.TokensIn), max(r.Usage.TokensOut, estimated.TokensOut)
	}
	r.Finish = a.finishOf(r.Usage, req.MaxTokens)
	return r
}
