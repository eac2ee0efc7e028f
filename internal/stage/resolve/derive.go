package resolve

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// maxKeywords bounds the keywords of a relationship.
const maxKeywords = 16

// EntityRecords are one chunk's records of an entity; the lists are parallel.
type EntityRecords struct {
	Names, Types, Descriptions []string
	Absent                     bool // no spelling of the name is in the chunk
}

// EntityValues are derived from all mentions of an entity.
type EntityValues struct {
	Name, Type, Fingerprint string
	Frequency               int  // chunks that mention it
	Absent                  bool // none of them holds its name
}

// Entity derives the values of an entity from its mentions, one element per
// chunk, in any order. The name is the spelling that the rules show, and the type the
// most frequent one that is not unknown; ties go to the first in byte order. The
// fingerprint covers every value derived from mentions, including the counted
// descriptions.
func Entity(mentions []EntityRecords, rules NameRules) EntityValues {
	names, types, descriptions := map[string]int{}, map[string]int{}, map[string]int{}
	v := EntityValues{Frequency: len(mentions), Absent: len(mentions) > 0}
	for _, m := range mentions {
		v.Absent = v.Absent && m.Absent
		addCounts(names, m.Names)
		addCounts(types, m.Types)
		addCounts(descriptions, m.Descriptions)
	}
	delete(types, graph.TypeUnknown)
	v.Name, v.Type = rules.shown(names), cmp.Or(mostFrequent(types), graph.TypeUnknown)
	parts := append([]string{"entity", encodeJSON(v.Name), encodeJSON(v.Type), strconv.Itoa(v.Frequency)}, countLines(descriptions)...)
	if v.Absent {
		parts = append(parts, "absent")
	}
	v.Fingerprint = graph.Hash(parts...)
	return v
}

// Aliases returns the most frequent spelling of each name of an entity other than the one that is
// shown, in order.
func Aliases(shown string, mentions []EntityRecords) []string {
	name := Normalise(shown)
	spellings := map[string]int{}
	for _, m := range mentions {
		addCounts(spellings, m.Names)
	}
	other := map[string]map[string]int{} // spellings by name
	for s, n := range spellings {
		if norm := Normalise(s); norm != name {
			if other[norm] == nil {
				other[norm] = map[string]int{}
			}
			other[norm][s] = n
		}
	}
	var out []string
	for _, s := range other {
		out = append(out, mostFrequent(s))
	}
	slices.Sort(out)
	return out
}

// RelationshipRecords are one chunk's records of a relationship.
type RelationshipRecords struct {
	Descriptions, Keywords   []string
	Strength, Count, Forward int
}

// RelationshipValues are derived from all mentions of a relationship.
type RelationshipValues struct {
	Weight      int      // extracted records
	Strength    int      // sum, in hundredths
	Keywords    []string // by count, then byte order; at most 16
	Fingerprint string
}

// Relationship derives the values of a relationship from its mentions, one
// element per chunk, in any order. The fingerprint covers every value derived
// from mentions, including the counted descriptions.
func Relationship(mentions []RelationshipRecords) RelationshipValues {
	var v RelationshipValues
	keywords, descriptions := map[string]int{}, map[string]int{}
	for _, m := range mentions {
		v.Weight += m.Count
		v.Strength += m.Strength
		addCounts(keywords, m.Keywords)
		addCounts(descriptions, m.Descriptions)
	}
	v.Keywords = byCount(keywords)
	v.Keywords = v.Keywords[:min(len(v.Keywords), maxKeywords)]
	parts := append([]string{"relationship", strconv.Itoa(v.Weight), strconv.Itoa(v.Strength), encodeJSON(v.Keywords)}, countLines(descriptions)...)
	v.Fingerprint = graph.Hash(parts...)
	return v
}

// TypeLabel returns the label of entities of a configured type, or "" for a type that is
// not configured or has no valid label.
func TypeLabel(typ string, configured []string) string {
	words := graph.TypeWords(typ)
	for _, c := range configured {
		if slices.Equal(graph.TypeWords(c), words) {
			return graph.TypeLabel(typ)
		}
	}
	return ""
}
