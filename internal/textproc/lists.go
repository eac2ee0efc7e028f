package textproc

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed lists/*.txt
var listFiles embed.FS

// A Class says which word lists hold a word. Lists are files under lists/, one
// class each, so that a word is added without touching code.
type Class uint64

// The classes, in the order of listNames.
const (
	Determiner Class = 1 << iota
	Pronoun
	Preposition
	Conjunction
	Auxiliary
	Adverb
	Adjective
	PastVerb
	BaseVerb
	Negation
	Hedge
	SpeechVerb
	Title
	PlainTitle
	Calendar
	Link
	PersonNoun
	PlaceNoun
	EventNoun
	GroupNoun
	OrganizationWord
	LocationWord
	EventWord
	HardEvent
	Female
	Generic
	Starter
	GivenName
	NeverHead
	KnownPlace
	JunkCode
	BeforeNumber
	SpeakerWord
	WebWord
	ForeignDeterminer
	BeforeVerb
	BodyPart
	PersonDoes
	Demonym
	NumberWord
	Abbreviation
	EverydayNoun
	Acronym
	KnownOrganization
)

// Unions that rules ask for often.
const (
	StopClass   = Determiner | Pronoun | Preposition | Conjunction | Auxiliary | Adverb
	CommonClass = StopClass | PastVerb | BaseVerb | Starter | Calendar
	NameTails   = OrganizationWord | LocationWord | EventWord
	NounClasses = PersonNoun | PlaceNoun | EventNoun | GroupNoun
)

var listNames = [...]string{
	"determiners", "pronouns", "prepositions", "conjunctions", "auxiliaries", "adverbs", "adjectives",
	"past", "verbs", "negations", "hedges", "speech", "titles", "plaintitles", "calendar", "links",
	"people", "sites", "happenings", "bodies", "orgwords", "locwords", "eventwords", "hardevents",
	"female", "generic", "starters", "given", "never", "places", "junk", "pretable", "speaker", "web",
	"foreign", "verbcues", "bodyparts", "doings", "demonyms", "numbers", "abbreviations", "everyday", "acronyms", "organizations",
}

// lexicon maps every listed word to its classes. It is built at first use.
var lexicon = sync.OnceValue(func() map[string]Class {
	m := make(map[string]Class, 4096)
	for i, name := range listNames {
		for w := range strings.FieldsSeq(listText(name)) {
			m[w] |= 1 << i
		}
	}
	return m
})

// listText is the text of a list without its comment line.
func listText(name string) string {
	b, err := listFiles.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic("word list " + name + " is not embedded: " + err.Error())
	}
	_, words, _ := strings.Cut(string(b), "\n")
	return words
}

// ClassOf is the classes of a word in lower case.
func ClassOf(lower string) Class { return lexicon()[lower] }

// ListTexts is the text of all word lists of extraction, in a fixed order, for
// fingerprints of what is made with them.
func ListTexts() []string {
	out := make([]string, 0, len(listNames))
	for _, name := range slices.Sorted(slices.Values(listNames[:])) {
		out = append(out, listText(name))
	}
	return out
}
