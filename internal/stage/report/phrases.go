package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// minPhraseWord is the length of the shortest word of a key phrase, in characters.
	minPhraseWord = 3
	// A phrase is distinctive if at least minShared sentences have it, and one in pairShare of a
	// community's or, if it is a single noun, one in nounShare.
	minShared, pairShare, nounShare = 4, 12, 5
	// maxTitlePhrases is how many phrases a title joins.
	maxTitlePhrases = 3
)

// A keyPhrase is a common noun, or a pair of a word and a noun, in the evidence of a community.
type keyPhrase struct {
	key       string // in the singular and in lower case
	text      string // as most sentences write it
	sentences int    // that have it
	pair      bool
}

// distinctive reports whether a phrase is in enough of some sentences to name what they
// are about.
func (p keyPhrase) distinctive(of int) bool {
	share := nounShare
	if p.pair {
		share = pairShare
	}
	return p.sentences >= minShared && p.sentences*share >= of
}

// in reports whether a sentence has the phrase as written.
func (p keyPhrase) in(text string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(p.text))
}

// distinctivePhrases returns the key phrases that name what some sentences are about, none inside
// another one.
func distinctivePhrases(sentences []string) []keyPhrase {
	var out []keyPhrase
	for _, p := range keyPhrases(sentences) {
		inside := slices.ContainsFunc(out, func(o keyPhrase) bool { return sameSubject([]string{o.key}, p.key) })
		if !inside && p.distinctive(len(sentences)) {
			out = append(out, p)
		}
	}
	return out
}

// themeTitle returns a title made of distinctive phrases, "" if names are better: a single noun says
// less than they do, and a single pair would often be the title of a child too.
func themeTitle(phrases []keyPhrase, hasChildren bool) string {
	if len(phrases) == 0 || len(phrases) == 1 && (hasChildren || !phrases[0].pair) {
		return ""
	}
	var names []string
	for _, p := range phrases[:min(maxTitlePhrases, len(phrases))] {
		names = append(names, p.text)
	}
	return joinNames(names)
}

// keyPhrases returns the phrases that at least two of some English sentences have: pairs first, as
// they say more, then by the number of sentences. Nouns of word lists, which any text may have, are
// left out. The order of the sentences does not matter.
func keyPhrases(sentences []string) []keyPhrase {
	sorted := slices.Sorted(slices.Values(sentences))
	a := textproc.Analyze(strings.Join(sorted, "\n\n"))
	if !a.English {
		return nil
	}
	count := phraseCount{nouns: nounsIn(a), found: map[string]*phraseForms{}}
	for i, s := range a.Sentences {
		for at := range s.Tokens {
			count.add(s.Tokens, at, i)
		}
	}
	return count.phrases()
}

// nounsIn returns the words that an analysis shows to be nouns, in the singular: a determiner or
// possessive precedes them, with at most one word between, and no word that could be the noun
// follows.
func nounsIn(a *textproc.Analysis) map[string]bool {
	nouns := map[string]bool{}
	for _, s := range a.Sentences {
		opens := func(i int) bool {
			return i >= 0 && (s.Tokens[i].Is(textproc.Determiner) || textproc.IsPossessive(s.Tokens, i))
		}
		for i, w := range s.Tokens {
			if !opens(i-1) && (!opens(i-2) || !isModifier(s.Tokens[i-1].Word)) {
				continue
			}
			if i+1 == len(s.Tokens) || endsPhrase(s.Tokens[i+1].Word) {
				nouns[w.Singular] = true
			}
		}
	}
	return nouns
}

// endsPhrase reports whether a word cannot be the noun that the word before it belongs to.
func endsPhrase(w *textproc.Word) bool {
	return w.Has(textproc.Symbol|textproc.MainVerb) || w.Is(textproc.Preposition|textproc.Auxiliary)
}

// A phraseCount counts the phrases of an analysis.
type phraseCount struct {
	nouns map[string]bool
	found map[string]*phraseForms
}

// phraseForms is a phrase with how its sentences write it.
type phraseForms struct {
	keyPhrase
	written map[string]int
	last    int // number of the last sentence that has it
}

// add counts the phrases that end with a token of the nth sentence.
func (c phraseCount) add(tokens []textproc.Token, at, sentence int) {
	head := tokens[at]
	if !c.isHead(head.Word) || at+1 < len(tokens) && c.isHead(tokens[at+1].Word) {
		return
	}
	if (head.Class|head.SingularClass)&(textproc.EverydayNoun|textproc.PersonNoun) == 0 {
		c.count(keyPhrase{key: head.Singular, text: head.Lower}, sentence)
	}
	if at > 0 && isModifier(tokens[at-1].Word) {
		before := tokens[at-1]
		c.count(keyPhrase{key: before.Lower + " " + head.Singular, text: before.Text + " " + head.Lower, pair: true}, sentence)
	}
}

func (c phraseCount) count(p keyPhrase, sentence int) {
	forms := c.found[p.key]
	if forms == nil {
		forms = &phraseForms{keyPhrase: p, written: map[string]int{}, last: -1}
		c.found[p.key] = forms
	}
	forms.written[p.text]++
	if forms.last != sentence {
		forms.sentences, forms.last = forms.sentences+1, sentence
	}
}

// isHead reports whether a word may be the noun of a phrase.
func (c phraseCount) isHead(w *textproc.Word) bool {
	const never = textproc.GenericNoun | textproc.BodyPart | textproc.Calendar | textproc.NumberWord | textproc.NeverHead
	return w.Has(textproc.LowerFirst) && w.Runes > minPhraseWord && c.nouns[w.Singular] && !w.Is(textproc.FunctionWord) &&
		(w.Class|w.SingularClass)&never == 0 && !w.Has(textproc.MainVerb) && !strings.HasSuffix(w.Lower, "ly")
}

// isModifier reports whether a word may be before the noun of a phrase.
func isModifier(w *textproc.Word) bool {
	const never = textproc.FunctionWord | textproc.NumberWord | textproc.Calendar | textproc.GenericNoun | textproc.SentenceOpener
	return w.Runes >= minPhraseWord && w.Has(textproc.Letters) && !w.Is(never) && !w.Has(textproc.Verb|textproc.PossessiveS)
}

// phrases returns the phrases of at least two sentences in their order.
func (c phraseCount) phrases() []keyPhrase {
	var out []keyPhrase
	for _, forms := range c.found {
		if forms.sentences < 2 {
			continue
		}
		p, most := forms.keyPhrase, 0
		for text, n := range forms.written {
			if n > most || n == most && text < p.text {
				p.text, most = text, n
			}
		}
		out = append(out, p)
	}
	weight := func(p keyPhrase) int {
		if p.pair {
			return 2 * p.sentences
		}
		return p.sentences
	}
	slices.SortFunc(out, func(a, b keyPhrase) int { return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.key, b.key)) })
	return out
}
