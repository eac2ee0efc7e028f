package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// completion is an answer, or a chunk of a streamed one. Servers give the fields other
// types than the protocol does. Only syntax errors make decoding fail: a field of an
// unexpected type counts as missing, so that it does not discard an answer.
type completion struct {
	Choices firstChoice     `json:"choices"`
	Usage   usage           `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// firstChoice is the first of the choices, nil if there is none. The others are not
// decoded: millions of empty ones would take much more memory than their text.
type firstChoice struct{ *choice }

type choice struct {
	FinishReason scalar          `json:"finish_reason"`
	Message      messagePart     `json:"message"`
	Delta        messagePart     `json:"delta"`
	Text         content         `json:"text"` // of servers that answer as the older completions interface does
	Error        json.RawMessage `json:"error"`
}

// UnmarshalJSON decodes the first element of a list.
func (f *firstChoice) UnmarshalJSON(b []byte) error {
	d, err := openList(b)
	if err != nil || d == nil || !d.More() {
		return nil //nolint:nilerr // what is not a list holds no choice
	}
	first := &choice{}
	if d.Decode(first) == nil {
		f.choice = first
	}
	return nil
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

// messagePart is a message or a piece of one.
type messagePart struct {
	Content content `json:"content"`
	// Servers send reasoning in one of these fields, some in two of them.
	ReasoningContent prose     `json:"reasoning_content"`
	Reasoning        prose     `json:"reasoning"`
	ReasoningDetails prose     `json:"reasoning_details"`
	Thinking         prose     `json:"thinking"`
	Thoughts         prose     `json:"thoughts"`
	Refusal          prose     `json:"refusal"`
	ToolCalls        arguments `json:"tool_calls"`
	FunctionCall     arguments `json:"function_call"`
}

// UnmarshalJSON decodes a message, or a string that is its text.
func (p *messagePart) UnmarshalJSON(b []byte) error {
	if isObject(b) {
		type fields messagePart
		return json.Unmarshal(b, (*fields)(p))
	}
	return p.Content.UnmarshalJSON(b)
}

// reasoning returns what the model thought before it answered.
func (p messagePart) reasoning() string {
	for _, field := range []prose{p.ReasoningContent, p.Reasoning, p.ReasoningDetails, p.Thinking, p.Thoughts} {
		if field != "" {
			return p.Content.reasoning + string(field)
		}
	}
	return p.Content.reasoning
}

// call returns the arguments of the first function that the model calls.
func (p messagePart) call() string { return string(p.ToolCalls + p.FunctionCall) }

// content is the text of a message. Some servers send it as parts, of which some are
// reasoning.
type content struct{ text, reasoning string }

// UnmarshalJSON decodes a string, a part, or a list of them.
func (c *content) UnmarshalJSON(b []byte) error {
	if d, err := openList(b); err == nil && d != nil {
		var text, reasoning strings.Builder
		for d.More() {
			var p part
			if err := d.Decode(&p); err != nil {
				return err
			}
			text.WriteString(p.text)
			reasoning.WriteString(p.reasoning)
		}
		c.text, c.reasoning = text.String(), reasoning.String()
		return nil
	}
	return (*part)(c).UnmarshalJSON(b)
}

// part is a part of a message.
type part content

// reasoningTypes are the types of parts that do not belong to the answer.
var reasoningTypes = []string{"thinking", "reasoning", "thought", "redacted_thinking", "reasoning_content"}

// UnmarshalJSON decodes a string, or an object with text.
func (p *part) UnmarshalJSON(b []byte) error {
	if !isObject(b) {
		var text scalar
		_ = text.UnmarshalJSON(b) // it never fails
		if isString(b) {
			p.text = string(text)
		}
		return nil
	}
	var fields struct {
		Type      scalar `json:"type"`
		Text      prose  `json:"text"`
		Thinking  prose  `json:"thinking"`
		Reasoning prose  `json:"reasoning"`
	}
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	p.text, p.reasoning = string(fields.Text), string(fields.Thinking+fields.Reasoning)
	if slices.Contains(reasoningTypes, string(fields.Type)) {
		p.text, p.reasoning = "", p.text+p.reasoning
	}
	return nil
}

// decodes decodes a value and reports whether it could.
func decodes(b []byte, v any) bool { return json.Unmarshal(b, v) == nil }

func isObject(b []byte) bool { return len(b) > 0 && b[0] == '{' }
func isString(b []byte) bool { return len(b) > 0 && b[0] == '"' }

// scalar is a string, or a number as a string. Other values are empty.
type scalar string

// UnmarshalJSON decodes any value.
func (s *scalar) UnmarshalJSON(b []byte) error {
	switch {
	case isString(b):
		return json.Unmarshal(b, (*string)(s))
	case len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9'):
		*s = scalar(b)
	}
	return nil
}

// prose is text, or the strings of an object or a list that are text.
type prose string

// proseKeys are the fields of objects that hold text.
var proseKeys = []string{"text", "content", "thinking", "reasoning", "summary", "value"}

// UnmarshalJSON decodes any value. It reads tokens, which takes linear time however deep the
// value is nested.
func (p *prose) UnmarshalJSON(b []byte) error {
	switch {
	case isString(b):
		return json.Unmarshal(b, (*string)(p))
	case !isObject(b) && (len(b) == 0 || b[0] != '['):
		return nil
	}
	*p = prose(textIn(json.NewDecoder(bytes.NewReader(b))))
	return nil
}

// textIn returns the strings of a value that are text.
func textIn(d *json.Decoder) string {
	type level struct{ object, key bool } // key: the next token is a key
	var text strings.Builder
	var open []level
	isText := true // the strings that follow are text
	for {
		token, err := d.Token()
		if err != nil {
			return text.String() // the end
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		atKey := false
		if n := len(open) - 1; n >= 0 && open[n].object {
			atKey = open[n].key
			open[n].key = !atKey
		}
		switch v := token.(type) {
		case json.Delim:
			open = append(open, level{v == '{', v == '{'})
		case string:
			if atKey {
				isText = slices.Contains(proseKeys, v)
			} else if isText {
				text.WriteString(v)
			}
		}
	}
}

// arguments are the arguments of the first function that a model calls. A model that was
// given no functions may still put a structured answer there.
type arguments string

// UnmarshalJSON decodes a call, or the first call of a list. Arguments are a string that
// holds JSON, or JSON.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var call struct {
		Function  json.RawMessage `json:"function"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if first := firstElement(b); !isObject(first) || !decodes(first, &call) {
		return nil
	}
	if isObject(call.Function) {
		_ = json.Unmarshal(call.Function, &call) // what is not there stays empty
	}
	switch text := call.Arguments; {
	case isString(text):
		return json.Unmarshal(text, (*string)(a))
	case isObject(text):
		*a = arguments(text)
	}
	return nil
}
