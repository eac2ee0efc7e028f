package openai

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/neorag/neorag/internal/llm"
)

// usage is what a server reports of the tokens of a call.
type usage struct{ in, out, total, cached count }

// UnmarshalJSON decodes any value. What is not a number of tokens counts as missing.
func (u *usage) UnmarshalJSON(b []byte) error {
	var fields struct {
		PromptTokens     count           `json:"prompt_tokens"`
		InputTokens      count           `json:"input_tokens"`
		CompletionTokens count           `json:"completion_tokens"`
		OutputTokens     count           `json:"output_tokens"`
		TotalTokens      count           `json:"total_tokens"`
		Details          json.RawMessage `json:"prompt_tokens_details"`
	}
	if !isObject(b) || !decodes(b, &fields) {
		return nil
	}
	var details struct {
		CachedTokens count `json:"cached_tokens"`
	}
	if isObject(fields.Details) {
		_ = json.Unmarshal(fields.Details, &details) // what is not there is 0
	}
	*u = usage{
		in: max(fields.PromptTokens, fields.InputTokens), out: max(fields.CompletionTokens, fields.OutputTokens),
		total: fields.TotalTokens, cached: details.CachedTokens,
	}
	return nil
}

// merge takes what a further chunk of a stream reports: counts only grow.
func (u *usage) merge(o usage) {
	*u = usage{max(u.in, o.in), max(u.out, o.out), max(u.total, o.total), max(u.cached, o.cached)}
}

// tokens returns the reported usage of one call. Zero means that nothing is reported.
func (u usage) tokens() llm.Usage {
	out := u.out
	if out == 0 && u.in > 0 && u.total > u.in {
		out = u.total - u.in
	}
	return llm.Usage{Calls: 1, TokensIn: int64(u.in), TokensOut: int64(out), CachedTokens: int64(min(u.cached, u.in))}
}

// count is a number of tokens, 0 if it is missing or cannot be true.
type count int64

// maxTokens is far above what any model reads or writes in one call, and far below where
// sums of it overflow.
const maxTokens = 1 << 40

// UnmarshalJSON decodes a number, or a string that holds one.
func (c *count) UnmarshalJSON(b []byte) error {
	var text scalar
	if err := text.UnmarshalJSON(b); err != nil {
		return err
	}
	n, _ := strconv.ParseFloat(string(text), 64) // 0 or infinite with an error
	if *c = 0; n > 0 && n <= maxTokens {         // not NaN
		*c = count(math.Ceil(n))
	}
	return nil
}
