package fakemodel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

var (
	proper = regexp.MustCompile(`\b[A-Z][a-z]+(?: [A-Z][a-z]+)*`)
	word   = regexp.MustCompile(`\pL+`)
	year   = regexp.MustCompile(`\b1[5-9]\d\d\b`)
	common = strings.Fields("the a an and but or if in on at to of for it he she they we you i his her their this that there when what who how as by with from no not so then all one mr mrs")
)

// sentences cuts a text where a sentence ends, what was cut off does, or a heading
// begins.
func sentences(text string) []string {
	var out []string
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?…#", r) }) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			out = append(out, s+".")
		}
	}
	return out
}

// shared counts the words that a question and a text have in common.
func shared(question, text string) int {
	seen := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(question), -1) {
		if !slices.Contains(common, w) && len(w) > 2 {
			seen[w] = true
		}
	}
	n := 0
	for _, w := range word.FindAllString(strings.ToLower(text), -1) {
		if seen[w] {
			n++
			delete(seen, w)
		}
	}
	return n
}

// named are the names of a sentence, each once.
func named(sentence string) []string {
	var out []string
	for _, n := range proper.FindAllString(sentence, -1) {
		if !slices.Contains(common, strings.ToLower(n)) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// found is what the simulated model sees in a passage.
type found struct {
	entities      []map[string]any
	relationships []map[string]any
	claims        []map[string]any
}

func look(passage string) found {
	f := found{entities: []map[string]any{}, relationships: []map[string]any{}, claims: []map[string]any{}}
	seen := map[string]bool{}
	for _, s := range sentences(passage) {
		names := named(s)
		for i, n := range names {
			if !seen[n] {
				seen[n] = true
				f.entities = append(f.entities, map[string]any{"name": n, "type": []string{"person", "location", "organization"}[len(n)%3], "description": s})
			}
			if i > 0 {
				f.relationships = append(f.relationships, map[string]any{
					"source": names[i-1], "target": n, "description": s, "keywords": []string{"meeting"}, "strength": 1 + len(s)%10,
				})
			}
		}
		if y := year.FindString(s); y != "" && len(names) > 0 {
			f.claims = append(f.claims, map[string]any{
				"subject": names[0], "object": "NONE", "type": "event", "status": "TRUE", "start_date": y, "end_date": y,
				"description": s, "source_text": s,
			})
		}
	}
	return f
}

// records answers an extraction in the format asked for. The first answer
// leaves out the last entity, which a gleaning finds.
func records(r llmtest.Request, glean bool) string {
	f := look(Material(r))
	claims := about(r) == prompts.Claims
	switch last := len(f.entities) - 1; {
	case claims:
		f.entities, f.relationships = nil, nil
		if glean {
			f.claims = nil
		}
	case glean:
		f.entities, f.relationships, f.claims = f.entities[max(0, last):], nil, nil
	default:
		f.entities, f.claims = f.entities[:max(0, last)], nil
	}
	if strings.Contains(r.Messages[0].Content, "<|COMPLETE|>") {
		return f.tuples()
	}
	if claims {
		return marshal(map[string]any{"claims": f.claims})
	}
	return marshal(map[string]any{"entities": list(f.entities), "relationships": list(f.relationships)})
}

func list(l []map[string]any) []map[string]any { return append([]map[string]any{}, l...) }

func (f found) tuples() string {
	var out []string
	for _, e := range f.entities {
		out = append(out, Tuple("entity", e["name"], e["type"], e["description"]))
	}
	for _, l := range f.relationships {
		out = append(out, Tuple("relationship", l["source"], l["target"], l["description"], "meeting", l["strength"]))
	}
	for _, c := range f.claims {
		out = append(out, Tuple("claim", c["subject"], c["object"], c["type"], c["status"], c["start_date"], c["end_date"], c["description"], c["source_text"]))
	}
	return strings.Join(out, "##\n") + "<|COMPLETE|>"
}

// Tuple writes one record as delimited fields.
func Tuple(kind string, fields ...any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(%q", kind)
	for _, f := range fields {
		fmt.Fprintf(&b, "<|>%v", f)
	}
	return b.String() + ")"
}
