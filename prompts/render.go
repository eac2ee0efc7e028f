package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Values maps placeholders to their values.
type Values map[string]string

// Render replaces the placeholders of both messages in one pass, so that
// placeholders in values stay as they are. {{fence}} becomes a mark that no value
// contains, because it is made of the hash of all values.
func (p Prompt) Render(values Values) (system, user string) {
	all := maps.Clone(values)
	if all == nil {
		all = Values{}
	}
	all[fenceName] = fenceOf(values)
	return parse(p.System).fill(all), parse(p.User).fill(all)
}

// Name returns a name that a user chose, such as of a language, in the quotes that set it off from
// the sentence of a prompt; "" for "".
func Name(text string) string {
	if text == "" {
		return ""
	}
	return strconv.Quote(text)
}

// Fence returns a mark that a text does not contain, because it is made of the hash of it. It is for
// texts that become part of a value.
func Fence(text string) string { return fenceOf(Values{"text": text}) }

// fenceOf returns the mark for some values.
func fenceOf(values Values) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all.WriteString(name + "\x1f" + values[name] + "\x1f")
	}
	sum := sha256.Sum256([]byte(all.String()))
	return fmt.Sprintf(fenceFormat, hex.EncodeToString(sum[:6]))
}

// A template is a text split at its placeholders: texts[i] comes before names[i], and
// one more text follows the last name.
type template struct {
	texts []string
	names []string
}

// parse splits a text at its placeholders. Braces around anything but a name are
// text.
func parse(s string) template {
	var t template
	var text strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "{{")
		text.WriteString(before)
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed || !isName(name) {
			text.WriteString("{{")
			s = rest
			continue
		}
		t.texts, t.names = append(t.texts, text.String()), append(t.names, name)
		text.Reset()
		s = after
	}
	t.texts = append(t.texts, text.String())
	return t
}

func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && r != '_' {
			return false
		}
	}
	return s != ""
}

// fill returns the text with values for the placeholders, without space around it.
func (t template) fill(values Values) string {
	var b strings.Builder
	for i, name := range t.names {
		b.WriteString(t.texts[i])
		b.WriteString(values[name])
	}
	b.WriteString(t.texts[len(t.texts)-1])
	return strings.TrimSpace(b.String())
}
