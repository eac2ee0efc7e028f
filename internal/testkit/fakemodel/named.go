package fakemodel

import (
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// Named returns a model that knows some names of any script, by their types, and finds nothing
// else: the entities of a passage, the pairs that share a sentence, and one claim for each sentence
// about its first name, quoted letter by letter. Other tasks it answers as Literal does.
func Named(types map[string]string) func(llmtest.Request) llmtest.Reply {
	known := slices.Sorted(maps.Keys(types))
	return func(r llmtest.Request) llmtest.Reply {
		switch Task(r) {
		case prompts.Extract:
			x := named(Material(r), known, types)
			return llmtest.Reply{Text: marshal(map[string]any{"entities": x.entities, "relationships": x.relationships, "claims": x.claims})}
		case prompts.GleanList:
			return llmtest.Reply{Text: `{"entities": [], "relationships": [], "claims": []}`}
		}
		return Literal(r)
	}
}

func named(text string, known []string, types map[string]string) extraction {
	x := extraction{entities: []map[string]any{}, relationships: []map[string]any{}, claims: []map[string]any{}}
	seen := map[string]bool{}
	for _, span := range textproc.Sentences(text) {
		said := text[span.Start:span.End]
		var found []string
		for _, n := range known {
			if !strings.Contains(said, n) {
				continue
			}
			if found = append(found, n); !seen[n] {
				seen[n] = true
				x.entities = append(x.entities, map[string]any{"name": n, "type": types[n], "description": said})
			}
		}
		for i := 1; i < len(found); i++ {
			x.relationships = append(x.relationships, map[string]any{"source": found[i-1], "target": found[i], "description": said, "keywords": []string{types[found[i]]}, "strength": 5})
		}
		if len(found) > 0 {
			x.claims = append(x.claims, map[string]any{
				"subject": found[0], "object": "NONE", "type": "event", "status": "TRUE", "start_date": "NONE", "end_date": "NONE",
				"description": said, "source_text": said,
			})
		}
	}
	return x
}
