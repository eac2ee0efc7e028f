package textproc

import (
	"embed"
	"strings"
	"sync"
)

//go:embed lists/*.txt
var listFiles embed.FS

// A Class is a set of word lists. Each list is a file of its name under lists/, so
// that words can be added without changing code.
type Class uint64

// The classes.
const (
	Abbreviation       Class = 1 << iota // abbreviations that end with a full stop
	Acronym                              // acronyms of things that are not organizations
	Adjective                            // adjectives that are part of a name if a capital follows (New York)
	Adverb                               // adverbs, quantifiers and adjectives that are never names
	Auxiliary                            // auxiliary verbs and their contractions
	OrganizationNoun                     // common nouns for organizations
	BodyPart                             // nouns whose owner is a person (Marley's face)
	Calendar                             // days, months and other words of dates and times, which are not names
	Conjunction                          // conjunctions and question words that join clauses
	Demonym                              // nationalities and other adjectives with a capital, except those in -ish and -ese
	Determiner                           // determiners: a noun or an adjective follows
	PersonVerb                           // verbs whose subject is usually a person
	EventSuffix                          // last words of the names of events
	EverydayNoun                         // everyday nouns: at the start of a sentence, their capital does not make a name
	FemaleWord                           // words for women
	ForeignDeterminer                    // determiners and prepositions of other languages: a common noun follows
	GenericNoun                          // nouns that are too general to be an entity
	GivenName                            // first names of people
	EventNoun                            // common nouns for events
	DefiniteEvent                        // words that make any name the name of an event
	Hedge                                // words that make a statement uncertain
	JunkAbbreviation                     // abbreviations that are never names
	NameLink                             // small words inside names (Leonardo da Vinci)
	LocationSuffix                       // last words of the names of places
	Negation                             // words that negate a statement
	NeverHead                            // words that are never the head of a noun phrase
	NumberWord                           // numbers in words
	KnownOrganization                    // well-known organizations of one word
	OrganizationSuffix                   // last words of the names of organizations
	PastVerb                             // irregular past tenses and participles
	PersonNoun                           // common nouns for people
	KnownPlace                           // names of countries, cities and regions
	DroppedTitle                         // titles that are dropped when names are compared
	Preposition                          // prepositions
	NumberedPart                         // words for numbered parts of a text (Chapter 3)
	Pronoun                              // pronouns
	PlaceNoun                            // common nouns for places
	FirstPerson                          // words of the first person singular
	SpeechVerb                           // verbs of speech in the past tense: a person is next to them
	SentenceOpener                       // words that often start a sentence and are not names there
	Title                                // titles before the name of a person
	VerbCue                              // words before a verb in its base form
	BaseVerb                             // base forms of frequent verbs
	WebWord                              // words of buttons, headlines and comments on web pages
	KnownConcept                         // names of religions, peoples, languages and products
	ConceptNoun                          // common nouns for works, products, beliefs and kinds of things
	ConceptSuffix                        // last words of the names of works, laws, plans and products
	TechnicalWord                        // words of manuals of software and devices
	ForeignPart                          // words of other languages for numbered parts of a text (Kapitel 3)
	VagueNoun                            // nouns of technical texts that do not make a term alone
	Notice                               // words in capitals that call for attention or hold a place, which are not names
)

// Unions of classes that rules often use.
const (
	FunctionWord = Determiner | Pronoun | Preposition | Conjunction | Auxiliary | Adverb
	CommonWord   = FunctionWord | PastVerb | BaseVerb | SentenceOpener | Calendar
	NameSuffix   = OrganizationSuffix | LocationSuffix | EventSuffix
	TypedNoun    = PersonNoun | PlaceNoun | EventNoun | OrganizationNoun
)

// wordLists is the list of each class. Fingerprints depend on the order: add new lists
// at the end.
var wordLists = [...]struct {
	class Class
	name  string
}{
	{Abbreviation, "abbreviations"},
	{Acronym, "acronyms"},
	{Adjective, "adjectives"},
	{Adverb, "adverbs"},
	{Auxiliary, "auxiliaries"},
	{OrganizationNoun, "organization_nouns"},
	{BodyPart, "body_parts"},
	{Calendar, "calendar"},
	{Conjunction, "conjunctions"},
	{Demonym, "demonyms"},
	{Determiner, "determiners"},
	{PersonVerb, "person_verbs"},
	{EventSuffix, "event_suffixes"},
	{EverydayNoun, "everyday_nouns"},
	{FemaleWord, "female_words"},
	{ForeignDeterminer, "foreign_determiners"},
	{GenericNoun, "generic_nouns"},
	{GivenName, "given_names"},
	{EventNoun, "event_nouns"},
	{DefiniteEvent, "definite_events"},
	{Hedge, "hedges"},
	{JunkAbbreviation, "junk_abbreviations"},
	{NameLink, "name_links"},
	{LocationSuffix, "location_suffixes"},
	{Negation, "negations"},
	{NeverHead, "never_heads"},
	{NumberWord, "number_words"},
	{KnownOrganization, "known_organizations"},
	{OrganizationSuffix, "organization_suffixes"},
	{PastVerb, "past_verbs"},
	{PersonNoun, "person_nouns"},
	{KnownPlace, "known_places"},
	{DroppedTitle, "dropped_titles"},
	{Preposition, "prepositions"},
	{NumberedPart, "numbered_parts"},
	{Pronoun, "pronouns"},
	{PlaceNoun, "place_nouns"},
	{FirstPerson, "first_person"},
	{SpeechVerb, "speech_verbs"},
	{SentenceOpener, "sentence_openers"},
	{Title, "titles"},
	{VerbCue, "verb_cues"},
	{BaseVerb, "base_verbs"},
	{WebWord, "web_words"},
	{KnownConcept, "known_concepts"},
	{ConceptNoun, "concept_nouns"},
	{ConceptSuffix, "concept_suffixes"},
	{TechnicalWord, "technical_words"},
	{Notice, "notices"},
	{ForeignPart, "foreign_parts"},
	{VagueNoun, "vague_nouns"},
}

// lexicon maps every listed word to its classes. It is built at first use.
var lexicon = sync.OnceValue(func() map[string]Class {
	m := make(map[string]Class, 4096)
	for _, list := range wordLists {
		for w := range strings.FieldsSeq(listText(list.name)) {
			m[w] |= list.class
		}
	}
	return m
})

// listText returns the text of a list without its first line, a comment.
func listText(name string) string {
	b, err := listFiles.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic("word list " + name + " is not embedded: " + err.Error())
	}
	_, words, _ := strings.Cut(string(b), "\n")
	return words
}

// ClassOf returns the classes of a word in lower case.
func ClassOf(lower string) Class { return lexicon()[lower] }

// ListTexts returns the texts of the lists of all classes, in a fixed order, for
// fingerprints of what depends on them.
func ListTexts() []string {
	out := make([]string, len(wordLists))
	for i, list := range wordLists {
		out[i] = listText(list.name)
	}
	return out
}

// wordSet returns the set of the words of a text.
func wordSet(words string) map[string]bool { return setOf(strings.Fields(words)) }

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
