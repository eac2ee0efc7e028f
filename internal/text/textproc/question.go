package textproc

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// DateWeight is the weight of an exact date in a question. It ranks documents of that
// day above documents that share words with the question.
const DateWeight = 4

// maxQuestionTerms bounds the different terms of a question, because Lucene refuses a
// query of more than 1024 clauses.
const maxQuestionTerms = 256

// minOther is the least length in bytes of a term in another language than the question's:
// shorter ones are likely to be other words.
const minOther = 3

// WeightedTerm is a term of a question with its weight, usually 1.
type WeightedTerm struct {
	Term   string
	Weight float64
}

// A Query is a question prepared for search.
type Query struct {
	Language language.Language // of the question
	Terms    []WeightedTerm    // without duplicates, sorted by term
	Pairs    []string          // without duplicates, sorted, in the form of Pairs
	Names    []string          // proper names as written, in order of appearance
	// Others are terms that its words have in other languages, which documents may be in:
	// the terms of its names, or of all words if the question is not in English.
	Others []string
}

// ReadQuestion returns the terms, pairs and names of a question. Words that only say
// how to answer (describe, summarize) are left out. Exact dates (20260410, 2026-04-10,
// 2026/4/10) also give the term of that day.
func ReadQuestion(q string) Query { return ReadQuestionIn(language.Of(q), q) }

// ReadQuestionIn is ReadQuestion for a question whose language is known.
func ReadQuestionIn(l language.Language, q string) Query {
	query := Query{Language: l, Names: namesIn(q)}
	weights := map[string]float64{}
	var sequence []string
	for _, term := range questionTerms(query.Language, q) {
		if weights[term] == 0 && len(weights) >= maxQuestionTerms {
			continue
		}
		weights[term] = 1
		sequence = append(sequence, term)
	}
	for _, d := range datesIn(q) {
		if len(weights) < 2*maxQuestionTerms {
			weights[d] = DateWeight
		}
	}
	query.Pairs = TermPairs(sequence)
	slices.Sort(query.Pairs)
	query.Pairs = slices.Compact(query.Pairs)
	for term, weight := range weights {
		query.Terms = append(query.Terms, WeightedTerm{term, weight})
	}
	slices.SortFunc(query.Terms, func(a, b WeightedTerm) int { return cmp.Compare(a.Term, b.Term) })
	query.Others = otherTerms(query, q, weights)
	return query
}

// otherTerms returns the terms of a question in other languages, sorted, without those that it has.
func otherTerms(query Query, q string, has map[string]float64) []string {
	found := TermSet{}
	if versionsNamed().MatchString(q) && ExtremeOf(query.Language, q) != nil { // lists of changes seldom have the word version
		found.Add(TermsIn(language.English, "changelog changes release")...)
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(q), func(r rune) bool { return !isWordRune(r) }) {
		for _, form := range query.Language.IrregularForms(word) { // stems do not join them
			if term := TermsIn(query.Language, form); len(term) == 1 && has[term[0]] == 0 && len(found) < maxQuestionTerms {
				found.Add(term[0])
			}
		}
	}
	in := language.Latin()
	switch {
	case query.Language == language.English:
		q = strings.Join(query.Names, " ")
	case query.Language.IsLatin():
		in = []language.Language{language.English}
	case query.Language != language.Unknown:
		return nil
	}
	isStopWord := func(term string) bool {
		return language.English.IsStopWord(term) || query.Language.IsStopWord(term)
	}
	for _, l := range in {
		for _, term := range questionTerms(l, q) {
			if len(term) >= minOther && has[term] == 0 && !isStopWord(term) && len(found) < maxQuestionTerms {
				found.Add(term)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// questionTerms returns the terms of a question in a language without those that say how to answer.
func questionTerms(l language.Language, q string) []string {
	return slices.DeleteFunc(TermsIn(l, withoutQuestionWords(l, q)), func(term string) bool { return instructionTerms()[term] })
}

// withoutQuestionWords removes the words of a question that only ask, in languages whose stop words are not
// known, and replaces them by spaces where pairs of characters must not span them.
func withoutQuestionWords(l language.Language, q string) string {
	if l == language.Japanese {
		q = particles().ReplaceAllString(q, "$1 ")
	}
	words := questionWords[l]
	switch {
	case words == nil:
		return q
	case !l.SeparatesWords():
		return words().ReplaceAllString(q, " ")
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(q), func(word string) bool {
		return words().MatchString(strings.TrimFunc(word, func(r rune) bool { return !isWordRune(r) && !unicode.IsMark(r) }))
	}), " ")
}

// questionWords match the words of a question that only ask, by language: any part of the question, or whole
// words where spaces separate them.
var questionWords = map[language.Language]func() *regexp.Regexp{
	language.Chinese: sync.OnceValue(func() *regexp.Regexp {
		words := regexp.MustCompile(strings.Join(strings.Fields(listText("chinese_question_words")), "|"))
		words.Longest()
		return words
	}),
	language.Greek:    lazily(`(?i)^(?:τι|ποι[οαέό]\pL{0,2}|πού|πότε|πόσ\pL{1,3}|γιατί|πώς|είναι|ήταν|έχει|πρέπει|να|ο|η|το|οι|τα|του|της|των|τον|την|τους|στο|στη|στην|στον|από|με|και)$`),
	language.Hebrew:   lazily(`^(?:מי|מה|מהו|מהי|מיהו|מיהי|מתי|איפה|היכן|כמה|למה|מדוע|איך|כיצד|אילו|את|היה|הייתה|יש|של|על|צריך|צריכים)$`),
	language.Hindi:    lazily(`^(?:क्या|कौन|किस\S*|कब|कहाँ|कितन\S|कैसे|क्यों)$`),
	language.Japanese: lazily(`何\p{Han}?|誰`),
	language.Korean:   lazily(`^(?:무엇|무슨|언제|누구|누가|어디|몇|얼마|왜|어떻게|어떤|어느)\p{Hangul}*$`),
	language.Thai:     lazily(`คืออะไร|หมายถึงอะไร|คือใคร|ใคร(?:เป็น)?|เมื่อ(?:ไร|ไหร่|ใด)|ที่ไหน|กี่|เท่า(?:ไร|ไหร่)|อะไร(?:บ้าง)?|ทำไม(?:จึง)?|อย่างไร|ยังไง`),
}

// particles match the particles and endings of Japanese, with the character before them: a single one is
// kept with the first of its ending.
var particles = lazily(`((?:^|\P{Han})\p{Han}\p{Hiragana})?\p{Hiragana}+`)

// instructionTerms holds the terms of a question that say how to answer it.
var instructionTerms = sync.OnceValue(func() map[string]bool { return setOf(Terms(listText("instruction_words"))) })

// askingTerms holds the terms of a question that its answer need not hold.
var askingTerms = sync.OnceValue(func() map[string]bool { return setOf(Terms(listText("asking_words"))) })

// namesIn returns runs of capitalised words other than AM and PM, and words such as JaneDoe. A
// word that starts a sentence is part of a name only if the run continues after it.
func namesIn(q string) []string {
	var names, run []string
	first := false // the run starts a sentence
	end := func() {
		if len(run) > 1 || len(run) == 1 && (!first || isCamelCase(run[0])) {
			if name := strings.Join(run, " "); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		run = nil
	}
	opening := true
	for field := range strings.FieldsSeq(q) {
		word := strings.TrimFunc(field, func(r rune) bool { return !isWordRune(r) })
		bare := strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(bare)
		capital := (unicode.IsUpper(r) || isCamelCase(bare)) && bare != "AM" && bare != "PM"
		if capital && len(run) == 0 && opening && !isCamelCase(bare) && isQuestionOpener(bare) {
			capital = false
		}
		if !capital || !strings.HasPrefix(field, word) {
			end()
		}
		if capital {
			if len(run) == 0 {
				first = opening
			}
			run = append(run, bare)
			if !strings.HasSuffix(field, bare) {
				end()
			}
		}
		opening = strings.HasSuffix(field, ".") || strings.HasSuffix(field, "?") || strings.HasSuffix(field, "!")
	}
	end()
	return names
}

// isQuestionOpener reports whether a word has a capital only because it starts the
// question: Did, Who, Describe.
func isQuestionOpener(word string) bool {
	for _, term := range Terms(word) {
		if !instructionTerms()[term] {
			return false
		}
	}
	return true
}

// isCamelCase reports whether a capital follows a lower-case letter.
func isCamelCase(word string) bool {
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
