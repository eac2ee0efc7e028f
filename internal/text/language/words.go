package language

import (
	"cmp"
	"embed"
	"strings"
	"sync"
)

//go:embed words/*.txt
var wordFiles embed.FS

// wordsOf returns the words of the file of a name without its first line, a comment.
func wordsOf(name string) []string {
	b, err := wordFiles.ReadFile("words/" + strings.ToLower(name) + ".txt")
	if err != nil {
		panic("words of " + name + " are not embedded: " + err.Error())
	}
	_, words, _ := strings.Cut(string(b), "\n")
	return strings.Fields(words)
}

// stopWords holds the stop words of each language.
var stopWords = sync.OnceValue(func() map[Language]map[string]bool {
	out := map[Language]map[string]bool{}
	for _, l := range all {
		if !l.words {
			continue
		}
		out[l.language] = map[string]bool{}
		for _, w := range wordsOf(l.name) {
			out[l.language][w] = true
		}
	}
	return out
})

// irregularVerbs maps irregular forms of English verbs to their base forms.
var irregularVerbs = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, forms := range verbForms() {
		for _, form := range forms[1:] {
			out[form] = forms[0]
		}
	}
	return out
})

// verbForms returns the forms of the irregular verbs of English, the base form first, by the stem of that.
var verbForms = sync.OnceValue(func() map[string][]string {
	b, err := wordFiles.ReadFile("words/english_verbs.txt")
	if err != nil {
		panic("irregular verbs are not embedded: " + err.Error())
	}
	_, lines, _ := strings.Cut(string(b), "\n")
	out := map[string][]string{}
	for line := range strings.Lines(lines) {
		forms := strings.Fields(line)
		out[English.Term(forms[0])] = forms
	}
	return out
})

// BaseForm returns the base form of an irregular form of an English verb in lower case, "" for any other word
// or language. Unknown counts as English.
func (l Language) BaseForm(word string) string {
	if cmp.Or(l, English) != English {
		return ""
	}
	return irregularVerbs()[word]
}

// IrregularForms returns the forms of the irregular verb of English that a word in lower case is a form of, the
// base form first; none for any other word or language. Unknown counts as English.
func (l Language) IrregularForms(word string) []string {
	if cmp.Or(l, English) != English {
		return nil
	}
	if stem := English.Term(cmp.Or(l.BaseForm(word), word)); stem != "" {
		return verbForms()[stem]
	}
	return nil
}

// IsStopWord reports whether a word in lower case says nothing about the subject of a text in the
// language. Unknown has the stop words of English.
func (l Language) IsStopWord(word string) bool {
	return stopWords()[cmp.Or(l, English)][word]
}

// functionWords maps every function word to the languages that have it, as bits by their places
// in all. English words that are function words elsewhere are evidence of English too.
var functionWords = sync.OnceValue(func() map[string]uint32 {
	out := map[string]uint32{}
	for i, l := range all {
		if !l.words {
			continue
		}
		words := wordsOf(l.name)
		if l.language == English {
			words = append(words, wordsOf("english_ambiguous")...)
		}
		for _, w := range words {
			out[w] |= 1 << i
		}
	}
	return out
})
