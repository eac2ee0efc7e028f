package fakemodel

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// An extraction is what the fake model finds in a text.
type extraction struct {
	entities      []map[string]any
	relationships []map[string]any
	claims        []map[string]any
}

// extract finds proper names as entities, neighbouring names in a sentence as
// relationships, and sentences with a year as claims.
func extract(text string) extraction {
	x := extraction{entities: []map[string]any{}, relationships: []map[string]any{}, claims: []map[string]any{}}
	seen := map[string]bool{}
	for _, s := range sentences(text) {
		inSentence := names(s)
		for i, n := range inSentence {
			if !seen[n] {
				seen[n] = true
				x.entities = append(x.entities, map[string]any{"name": n, "type": []string{"person", "location", "organization"}[len(n)%3], "description": s})
			}
			if i > 0 {
				x.relationships = append(x.relationships, map[string]any{
					"source": inSentence[i-1], "target": n, "description": s, "keywords": []string{"meeting"}, "strength": 1 + len(s)%10,
				})
			}
		}
		if y := year.FindString(s); y != "" && len(inSentence) > 0 {
			x.claims = append(x.claims, map[string]any{
				"subject": inSentence[0], "object": "NONE", "type": "event", "status": "TRUE", "start_date": y, "end_date": y,
				"description": s, "source_text": s,
			})
		}
	}
	return x
}

// extracted answers an extraction in the requested format. The first answer leaves
// out the last entity, which the gleaning finds.
func extracted(r llmtest.Request, glean bool) string {
	x := extract(Material(r))
	system := r.Messages[0].Content
	alone := firstTask(r) == prompts.Claims
	joint := strings.Contains(system, "Step 3.")
	last := len(x.entities) - 1
	switch {
	case alone:
		x.entities, x.relationships = nil, nil
	case glean:
		x.entities, x.relationships = x.entities[max(0, last):], nil
	default:
		x.entities = x.entities[:max(0, last)]
	}
	if glean || !alone && !joint {
		x.claims = nil
	}
	if strings.Contains(system, "<|COMPLETE|>") {
		return x.tuples()
	}
	if alone {
		return marshal(map[string]any{"claims": list(x.claims)})
	}
	lists := map[string]any{"entities": list(x.entities), "relationships": list(x.relationships)}
	if joint {
		lists["claims"] = list(x.claims)
	}
	return marshal(lists)
}

// list returns an empty list for nil, which JSON would write as null.
func list(l []map[string]any) []map[string]any { return append([]map[string]any{}, l...) }

// tuples returns the records in the format of delimited fields.
func (x extraction) tuples() string {
	var out []string
	for _, e := range x.entities {
		out = append(out, Tuple("entity", e["name"], e["type"], e["description"]))
	}
	for _, l := range x.relationships {
		out = append(out, Tuple("relationship", l["source"], l["target"], l["description"], "meeting", l["strength"]))
	}
	for _, c := range x.claims {
		out = append(out, Tuple("claim", c["subject"], c["object"], c["type"], c["status"], c["start_date"], c["end_date"], c["description"], c["source_text"]))
	}
	return strings.Join(out, "##\n") + "<|COMPLETE|>"
}

// Tuple returns one record in the format of delimited fields.
func Tuple(kind string, fields ...any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(%q", kind)
	for _, f := range fields {
		fmt.Fprintf(&b, "<|>%v", f)
	}
	return b.String() + ")"
}
