package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// ownShare is the share of an entity's mentions that are in the section of a title which also
	// names the entity.
	ownShare = .5
	// partShare is the share of a section's mentions that a part of it has whose heading follows that
	// of the section in a title.
	partShare = .15
	// joinedShare is the share of a community's mentions that each of two documents has whose
	// headings a title joins.
	joinedShare = .1
	// maxTitleRunes bounds a title of several parts, maxWeakRunes a word that says little alone, and
	// maxShortRunes a word such as Options that says nothing.
	maxTitleRunes, maxWeakRunes, maxShortRunes = 90, 14, 9
)

// title returns the title of a report, rather one that no child has. It is about the section that most
// mentions of the community are in. Without such a section it is made of the headings of two, then
// of phrases of the sentences, then of names.
func (sel *selector) title(final bool) string {
	root := topicTree(sel.context.sections)
	titles := sel.sectionTitles(root, usable(topicPath(root)))
	titles = append(titles, sel.joinedTitle(root, 2), sel.joinedTitle(root, 3), themeTitle(sel.phrases, !final), sel.nameTitle(), sel.context.Title)
	titles = slices.DeleteFunc(titles, func(t string) bool { return t == "" })
	for _, t := range titles {
		if !slices.ContainsFunc(sel.context.children, func(child string) bool { return sameWords(t, child) }) {
			return t
		}
	}
	return titles[0]
}

// sameWords reports whether two titles have the same words, in any order and besides short ones such
// as and.
func sameWords(a, b string) bool {
	words := func(title string) []string {
		list := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		list = slices.DeleteFunc(list, func(w string) bool { return utf8.RuneCountInString(w) <= minPhraseWord })
		slices.Sort(list)
		return list
	}
	first, second := words(a), words(b)
	return len(first) > 0 && slices.Equal(first, second) || a == b
}

// usable returns the sections that have a heading.
func usable(path []*topicNode) []*topicNode {
	return slices.DeleteFunc(slices.Clone(path), func(n *topicNode) bool { return n.heading == "" })
}

// sectionTitles returns titles for a community that is about the last section of a path, the best
// first: its heading with those of its parts, with names that are mentioned mostly in it, or with
// the heading above it.
func (sel *selector) sectionTitles(root *topicNode, path []*topicNode) (titles []string) {
	if len(path) == 0 {
		return nil
	}
	last, above := path[len(path)-1], headingAbove(path)
	if strings.ContainsAny(last.heading[len(last.heading)-1:], "?!") {
		titles = append(titles, last.heading)
	}
	add := func(heading string, list []string) {
		for n := min(2, len(list)); n > 0 && heading != ""; n-- {
			if t := heading + ": " + sel.joinPlain(list[:n]); utf8.RuneCountInString(t) <= maxTitleRunes {
				titles = append(titles, t)
			}
		}
	}
	add(last.heading, sel.partHeadings(last))
	names := sel.titleNames(root, path)
	special := slices.DeleteFunc(slices.Clone(names), isPlainWord)
	switch weak := isWeak(last.heading); {
	case weak && above != "" && utf8.RuneCountInString(last.heading) < maxWeakRunes:
		add(above, special)
	case !weak:
		add(last.heading, special)
		if len(strings.Fields(last.heading)) > 2 {
			titles = append(titles, last.heading)
		}
	}
	add(above, []string{last.heading})
	add(last.heading, special)
	add(last.heading, names)
	return append(titles, last.heading)
}

// isWeak reports whether a heading is a single word, which says little alone.
func isWeak(heading string) bool {
	return len(strings.Fields(heading)) == 1 && language.Of(heading).SeparatesWords()
}

// isShort reports whether a heading is a short word, which says nothing.
func isShort(heading string) bool {
	return isWeak(heading) && utf8.RuneCountInString(heading) <= maxShortRunes
}

// headingAbove returns the nearest heading above the last section of a path that has other words,
// rather one that is not a short word.
func headingAbove(path []*topicNode) (best string) {
	last := path[len(path)-1]
	for _, n := range slices.Backward(path[:len(path)-1]) {
		switch {
		case sameSubject([]string{n.heading}, last.heading):
		case !isShort(n.heading):
			return n.heading
		case best == "":
			best = n.heading
		}
	}
	return best
}

// partHeadings returns the headings of two large parts of a section, or none.
func (sel *selector) partHeadings(section *topicNode) []string {
	var headings []string
	for _, part := range section.largest() {
		if part.share >= partShare*section.share && part.heading != "" && len(headings) < 2 && !sameSubject(append(headings, section.heading), part.heading) {
			headings = append(headings, part.heading)
		}
	}
	if len(headings) < 2 {
		return nil
	}
	headings[1] = sel.lowerFirst(headings[1])
	return headings
}

// joinedTitle returns the titles of the n documents that mention a community most, "" if they are not
// enough. The title of a document without headings covers too much to say what is in common.
func (sel *selector) joinedTitle(root *topicNode, n int) string {
	var headings []string
	for _, document := range root.largest() {
		path := usable(document.path(deeperShare))
		if document.share < joinedShare*root.share || len(headings) == n {
			break
		}
		if len(path) == 0 || len(document.parts) == 0 || strings.HasSuffix(path[0].heading, "?") || isShort(path[0].heading) || sameSubject(headings, path[0].heading) {
			continue
		}
		headings = append(headings, path[0].heading)
	}
	if len(headings) < n {
		return ""
	}
	for i := range headings[1:] {
		headings[i+1] = sel.lowerFirst(headings[i+1])
	}
	if t := sel.join(headings); utf8.RuneCountInString(t) <= maxTitleRunes {
		return t
	}
	return ""
}

// lowerFirst makes the first letter small if it is the only capital and most sentences write the first word so.
func (sel *selector) lowerFirst(s string) string {
	first, rest, _ := strings.Cut(s, " ")
	lower := strings.ToLower(first)
	if lower == first || strings.ContainsFunc(first[1:]+rest, unicode.IsUpper) {
		return s
	}
	small, large := 0, 0
	for _, sentence := range sel.sentences {
		for i, w := range strings.FieldsFunc(sentence.text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			switch {
			case w == lower:
				small++
			case w == first && i > 0:
				large++
			}
		}
	}
	if small > large {
		return lower + s[len(first):]
	}
	return s
}

// nameTitle returns a title made of names, "" if no name says enough.
func (sel *selector) nameTitle() string {
	ranked := slices.DeleteFunc(slices.Clone(sel.context.ranked), func(e rankedEntity) bool { return !sel.isTitleName(e.Name, e.Type) })
	var names []string
	for _, e := range titleEntities(ranked, len(sel.context.children)) {
		names = append(names, displayName(e.Name, sel.capitals))
	}
	if len(names) < min(2, len(sel.context.ranked)) {
		return ""
	}
	return sel.join(names)
}

// titleNames returns the names of prominent entities that are mentioned mostly in the last section of
// a path and have other words than its headings, names with a capital first.
func (sel *selector) titleNames(root *topicNode, path []*topicNode) []string {
	var headings, names []string
	for _, n := range path {
		headings = append(headings, n.heading)
	}
	section := path[len(path)-1]
	for _, e := range sel.context.ranked {
		name := displayName(e.Name, sel.capitals)
		if float64(section.of[e.Key]) >= ownShare*float64(root.of[e.Key]) && sel.isTitleName(e.Name, e.Type) && !sel.sameStems(names, name) && !sharesWord(headings, name) {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(smallFirst(a), smallFirst(b)) })
	return names
}

// sameStems is sameSubject for words of one stem too, such as two forms of a German noun.
func (sel *selector) sameStems(names []string, name string) bool {
	terms := textproc.TermsIn(sel.language, name)
	return sameSubject(names, name) || slices.ContainsFunc(names, func(n string) bool {
		return len(terms) > 0 && slices.Equal(terms, textproc.TermsIn(sel.language, n))
	})
}

// smallFirst returns 1 for a name that begins with a small letter, else 0.
func smallFirst(name string) int {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsLower(r) {
		return 1
	}
	return 0
}

// isPlainWord reports whether a name is a common noun of one word.
func isPlainWord(name string) bool { return smallFirst(name) == 1 && !strings.Contains(name, " ") }

// sharesWord reports whether a name has a word of one of some headings.
func sharesWord(headings []string, name string) bool {
	words := wordsOf(name)
	return slices.ContainsFunc(headings, func(h string) bool {
		return slices.ContainsFunc(wordsOf(h), func(w string) bool { return slices.Contains(words, w) })
	})
}
