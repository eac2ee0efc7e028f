package fakemodel

import "strings"

// proposal describes passages by the first name in them. Its types are the types of extract, with one
// that no reader of types accepts.
func proposal(passages string) string {
	about := "nothing"
	for _, name := range names(passages) {
		if name != "Passage" {
			about = name
			break
		}
	}
	return "```json\n" + marshal(map[string]any{
		"description": "The passages are about\n" + about + " <<< and others >>>.", "entity_types": []string{"Person", "location", "organization", "person", strings.Repeat("far too long ", 3)},
	}) + "\n```"
}
