package source

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source/parse"
)

const (
	maxLeaves  = 10_000 // values of a nested value that are read
	maxPath    = 200    // bytes
	maxNumbers = 16     // of a list; a longer one is not text
)

// A leaf is a value within objects and lists, with the names of the objects on the way to it, such as
// "body.summary".
type leaf struct{ path, value string }

// leavesOf returns the values in a JSON object or list that is named path, in their order; nil if raw
// is another value or not JSON.
func leavesOf(path, raw string) []leaf {
	if raw == "" || raw[0] != '{' && raw[0] != '[' || nestedDeeper([]byte(raw), maxJSONDepth) || !json.Valid([]byte(raw)) {
		return nil
	}
	w := leafWalk{dec: json.NewDecoder(strings.NewReader(raw)), leaves: []leaf{}}
	w.dec.UseNumber()
	w.value(path)
	return w.leaves
}

type leafWalk struct {
	dec    *json.Decoder
	leaves []leaf
}

// value reads a value of valid JSON. It reports whether it is a number.
func (w *leafWalk) value(path string) (isNumber bool) {
	token, err := w.dec.Token()
	if err != nil {
		return false
	}
	switch v := token.(type) {
	case json.Delim:
		w.members(path, v == '{')
	case json.Number:
		w.add(path, v.String())
		return true
	case string:
		w.add(path, v)
	case bool:
		w.add(path, map[bool]string{true: "true", false: "false"}[v])
	}
	return false
}

// members reads the rest of an object or list.
func (w *leafWalk) members(path string, object bool) {
	before, numbers := len(w.leaves), 0
	for w.dec.More() {
		at := path
		if object {
			name, _ := w.dec.Token() // the JSON is valid
			key, _ := name.(string)
			at = parse.Truncate(strings.TrimPrefix(path+"."+key, "."), maxPath)
		}
		if w.value(at) && !object {
			numbers++
		}
	}
	_, _ = w.dec.Token()
	if numbers > maxNumbers {
		w.leaves = slices.Delete(w.leaves, before, len(w.leaves))
	}
}

func (w *leafWalk) add(path, value string) {
	if len(w.leaves) < maxLeaves && strings.TrimSpace(value) != "" {
		w.leaves = append(w.leaves, leaf{path, value})
	}
}

// addNested adds to an object the values that the fields name by their paths, such as "body.summary".
func (r *records) addNested(object map[string]json.RawMessage) {
	for _, names := range r.fields {
		for path := range strings.SplitSeq(names, ",") {
			path = strings.TrimSpace(path)
			top, _, nested := strings.Cut(path, ".")
			if _, known := object[path]; known || !nested {
				continue
			}
			var values []string
			for _, l := range leavesOf(top, jsonText(object[top])) {
				if l.path == path {
					values = append(values, l.value)
				}
			}
			if text, err := json.Marshal(strings.Join(values, "\n\n")); err == nil && values != nil {
				object[path] = text
			}
		}
	}
}

// partsText returns the text of a list of strings and of objects with a text, as programs write texts
// with links, or other for another value. Strings among objects have the spaces between them.
func partsText(raw json.RawMessage, other string) string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return other
	}
	var parts []string
	strs := 0
	for _, element := range list {
		var part struct {
			Text *string `json:"text"`
		}
		var s string
		switch {
		case json.Unmarshal(element, &s) == nil && element[0] == '"':
			strs++
			parts = append(parts, s)
		case json.Unmarshal(element, &part) == nil && part.Text != nil:
			parts = append(parts, *part.Text)
		default:
			return other
		}
	}
	if strs > 0 && strs < len(parts) {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, "\n\n")
}

// addChat adds the text of a conversation to an object that has one and no text: a list of messages
// with who wrote them, as language models are trained on.
func (r *records) addChat(object map[string]json.RawMessage) {
	if _, ok := r.column(slices.Collect(maps.Keys(object)), "text"); ok || r.fields["text"] != "" {
		return
	}
	for _, name := range []string{"messages", "conversations"} {
		var messages []struct {
			Role, From     string
			Content, Value json.RawMessage
		}
		if json.Unmarshal(object[name], &messages) != nil {
			continue
		}
		var lines []string
		for _, m := range messages {
			who, content := m.Role, m.Content
			if who == "" {
				who, content = m.From, m.Value
			}
			if text := partsText(content, jsonText(content)); who != "" && text != "" {
				lines = append(lines, who+": "+text)
			}
		}
		if text, err := json.Marshal(strings.Join(lines, "\n\n")); err == nil && len(lines) > 0 {
			object["text"] = text
			delete(object, name)
			return
		}
	}
}
