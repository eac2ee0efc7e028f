package prompts

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Values are what placeholders stand for.
type Values map[string]string

// Render puts values in for the placeholders of both parts, in one pass: what a
// value holds stays as it is. {{fence}} becomes a mark that none of the values
// holds, since it is made of their hash.
func (p Prompt) Render(values Values) (system, user string) {
	all := maps.Clone(values)
	if all == nil {
		all = Values{}
	}
	all[fence] = fenceOf(values)
	return parse(p.System).fill(all), parse(p.User).fill(all)
}

func fenceOf(values Values) string {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all.WriteString(name + "\x1f" + values[name] + "\x1f")
	}
	sum := sha256.Sum256([]byte(all.String()))
	return fmt.Sprintf(fenceForm, hex.EncodeToString(sum[:6]))
}

// parsed is a text cut at its placeholders: texts[i] stands before names[i].
type parsed struct {
	texts []string
	names []string
}

// parse cuts a template. A pair of braces that holds no name is text.
func parse(template string) parsed {
	var p parsed
	var text strings.Builder
	for template != "" {
		before, rest, found := strings.Cut(template, "{{")
		text.WriteString(before)
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}}")
		if !closed || !isName(name) {
			text.WriteString("{{")
			template = rest
			continue
		}
		p.texts, p.names = append(p.texts, text.String()), append(p.names, name)
		text.Reset()
		template = after
	}
	p.texts = append(p.texts, text.String())
	return p
}

func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && r != '_' {
			return false
		}
	}
	return s != ""
}

func (p parsed) fill(values Values) string {
	var b strings.Builder
	for i, name := range p.names {
		b.WriteString(p.texts[i])
		b.WriteString(values[name])
	}
	b.WriteString(p.texts[len(p.texts)-1])
	return strings.TrimSpace(b.String())
}
