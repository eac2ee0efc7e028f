package resolve

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
)

// maxKeywords bounds the keywords of a relationship.
const maxKeywords = 16

// EntityRecords are one chunk's records of an entity; the lists are parallel.
type EntityRecords struct{ Names, Types, Descriptions []string }

// EntityValues are what the mentions of an entity say together.
type EntityValues struct {
	Name, Type, Fingerprint string
	Frequency               int // chunks that mention it
}

// Entity derives the values of an entity from its mentions, one element a
// chunk, in any order. The name is the most frequent spelling, the type the
// most frequent that is not unknown; ties go to the bytewise first. The
// fingerprint covers every value that derives from mentions, the counted
// descriptions included.
func Entity(mentions []EntityRecords) EntityValues {
	names, types, descriptions := map[string]int{}, map[string]int{}, map[string]int{}
	for _, m := range mentions {
		addCounts(names, m.Names)
		addCounts(types, m.Types)
		addCounts(descriptions, m.Descriptions)
	}
	delete(types, graph.TypeUnknown)
	v := EntityValues{Name: mostFrequent(names), Type: mostFrequent(types), Frequency: len(mentions)}
	if v.Type == "" {
		v.Type = graph.TypeUnknown
	}
	v.Fingerprint = graph.Hash(append([]string{"entity", encode(v.Name), encode(v.Type), strconv.Itoa(v.Frequency)}, countLines(descriptions)...)...)
	return v
}

// RelationshipRecords are one chunk's records of a relationship.
type RelationshipRecords struct {
	Descriptions, Keywords   []string
	Strength, Count, Forward int
}

// RelationshipValues are what the mentions of a relationship say together.
type RelationshipValues struct {
	Weight      int      // extracted instances
	Strength    int      // sum, in hundredths
	Keywords    []string // by count, then bytes; at most 16
	Fingerprint string
}

// Relationship derives the values of a relationship from its mentions, one
// element a chunk, in any order. The fingerprint covers every value that
// derives from mentions, the counted descriptions included.
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
	parts := append([]string{"relationship", strconv.Itoa(v.Weight), strconv.Itoa(v.Strength), encode(v.Keywords)}, countLines(descriptions)...)
	v.Fingerprint = graph.Hash(parts...)
	return v
}

func addCounts(n map[string]int, texts []string) {
	for _, t := range texts {
		if t != "" {
			n[t]++
		}
	}
}

// reserved are the labels that the schema uses itself, in lower case.
var reserved = map[string]bool{
	"corpus": true, "lease": true, "run": true, "document": true, "chunk": true, "passage": true, "entity": true,
	"relationship": true, "claim": true, "community": true, "report": true, "finding": true, "query": true, "sentence": true,
}

// TypeLabel is the label that entities of a configured type carry: upper camel
// case, "person" to "Person", "natural phenomenon" to "NaturalPhenomenon". It
// is "" for a type that is not configured, that the schema's own labels stand
// for, or that does not begin with a letter.
func TypeLabel(typ string, configured []string) string {
	words := labelWords(typ)
	listed := false
	for _, c := range configured {
		listed = listed || strings.Join(labelWords(c), " ") == strings.Join(words, " ")
	}
	if !listed || len(words) == 0 || !unicode.IsLetter([]rune(words[0])[0]) || reserved[strings.Join(words, "")] {
		return ""
	}
	var label strings.Builder
	for _, w := range words {
		r := []rune(w)
		label.WriteRune(unicode.ToUpper(r[0]))
		label.WriteString(string(r[1:]))
	}
	return label.String()
}

// labelWords are the runs of letters and digits of a type, in lower case.
func labelWords(typ string) []string {
	return strings.FieldsFunc(strings.ToLower(typ), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
