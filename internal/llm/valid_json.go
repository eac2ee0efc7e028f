package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxCandidates is how many JSON values of an answer are checked, from the last.
const maxCandidates = 16

// validJSON returns the JSON in an answer and whether its end is there, or what is wrong with
// it. Of several values it takes the last one that fits, a complete one if possible: models quote
// JSON of the text, or a draft, before they answer.
func validJSON(req Request, answer string) (object string, complete bool, reason error) {
	values := jsonValues(unquote(answer))
	if len(values) > 1 {
		for _, complete = range []bool{true, false} {
			tried := 0
			for _, v := range slices.Backward(values) {
				if v.complete != complete || tried == maxCandidates {
					continue
				}
				tried++
				if object, err := unwrap(req, v.text, maxWrappings); err == nil {
					return object, complete, nil
				}
			}
		}
	}
	best, err := longest(values)
	if err != nil {
		return "", false, err
	}
	object, reason = unwrap(req, best.text, maxWrappings)
	return object, best.complete, reason
}

// answerJSON returns the JSON of a response. Some servers take an answer for reasoning: where there
// is no other text, JSON at the end of the reasoning that the request accepts is the answer. JSON
// before other thoughts is a draft.
func answerJSON(req Request, res Response) (object string, complete bool, reason error) {
	if strings.TrimSpace(res.Text) != "" || res.Reasoning == "" {
		return validJSON(req, res.Text)
	}
	if end := strings.TrimRight(res.Reasoning, "` \t\r\n"); strings.HasSuffix(end, "}") || strings.HasSuffix(end, "]") {
		if object, complete, reason = validJSON(req, res.Reasoning); reason == nil && complete {
			return object, true, nil
		}
	}
	return "", false, errOnlyReasoning
}

// unquote returns the content of an answer that is a JSON string, perhaps in a code fence: JSON that
// was encoded twice. Any other answer stays.
func unquote(answer string) string {
	text := strings.TrimSpace(answer)
	if head, rest, found := strings.Cut(text, "\n"); found && strings.HasPrefix(head, "```") {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "```"))
	}
	var inner string
	if !strings.HasPrefix(text, `"`) || json.Unmarshal([]byte(text), &inner) != nil {
		return answer
	}
	return inner
}

// maxWrappings is in how many things an object may be wrapped.
const maxWrappings = 3

// unwrap returns the object that a request accepts: a value itself, or else what it wraps as the
// only element of a list, under a key that the schema does not have, or as a string of JSON. Without
// any it returns the value and what is wrong with it.
func unwrap(req Request, value string, depth int) (object string, reason error) {
	reason = checkJSON(req, value)
	if reason == nil && !isWrapper(req.Schema, value) || depth == 0 {
		return value, reason
	}
	inner, found := "", 0
	for _, candidate := range wrapped(req.Schema, value) {
		if o, err := unwrap(req, candidate, depth-1); err == nil && !isWrapper(req.Schema, o) {
			inner = o
			found++
		}
	}
	if found == 1 { // of several it would be a guess
		return inner, nil
	}
	return value, reason
}

// isWrapper reports whether an object has keys, but none of the schema.
func isWrapper(schema *Schema, value string) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(value), &fields) != nil || len(fields) == 0 {
		return false
	}
	properties := outlineOf(schema).Properties
	for key := range fields {
		if hasKey(properties, key) {
			return false
		}
	}
	return len(properties) > 0
}

// wrapped returns the values that a value may be a wrapping of.
func wrapped(schema *Schema, value string) []string {
	var list []json.RawMessage
	if json.Unmarshal([]byte(value), &list) == nil {
		if len(list) != 1 {
			return nil
		}
		return []string{unquote(string(list[0]))}
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(value), &fields) != nil {
		return nil
	}
	properties := outlineOf(schema).Properties
	var inner []string
	for key, field := range fields {
		if hasKey(properties, key) {
			continue
		}
		text := strings.TrimSpace(unquote(string(field)))
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			inner = append(inner, text)
		}
	}
	return inner
}

// An outline is the top level of a schema.
type outline struct {
	Type       any                        `json:"type"`
	Required   []string                   `json:"required"`
	Properties map[string]json.RawMessage `json:"properties"`
}

func outlineOf(schema *Schema) outline {
	var o outline
	_ = json.Unmarshal(schema.JSON, &o) // what it does not contain is not checked
	return o
}

// hasKey reports whether an object has a key, in any case, as package json decodes it.
func hasKey(fields map[string]json.RawMessage, key string) bool {
	if _, ok := fields[key]; ok {
		return true
	}
	for name := range fields {
		if strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// checkJSON returns what is wrong with an answer that is JSON.
func checkJSON(req Request, answer string) error {
	if !json.Valid([]byte(answer)) {
		return ErrNoJSON
	}
	if err := checkOutline(req.Schema, answer); err != nil {
		return err
	}
	if req.Valid != nil {
		return req.Valid(answer)
	}
	return nil
}

// checkOutline checks the top level only: that the answer is an object if the schema
// wants one, and has the required fields. Additional fields are allowed.
func checkOutline(schema *Schema, answer string) error {
	want := outlineOf(schema)
	if want.Type != "object" {
		return nil
	}
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(answer, "{") || json.Unmarshal([]byte(answer), &fields) != nil {
		return errors.New("expected a JSON object, got an array")
	}
	for _, name := range want.Required {
		if !hasKey(fields, name) {
			return fmt.Errorf("the field %q is missing", name)
		}
	}
	return nil
}
