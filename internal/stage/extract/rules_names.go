package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/textproc"
)

// maxNamesPerSentence is the number of names in one sentence from which it is a
// list that says nothing about them.
const maxNamesPerSentence = 25

// maxNameWords is the maximum number of words of a name.
const maxNameWords = 7

// readNames finds the names of every sentence and counts them.
func (d *docReader) readNames() {
	d.nameMentions = make([][]mention, len(d.Sentences))
	for i, s := range d.Sentences {
		for _, at := range d.Names(s) {
			name := d.Join(s.Tokens[at.Start:at.End])
			if utf8.RuneCountInString(name) > maxName || name == "" {
				continue
			}
			e := d.id(name)
			d.nameMentions[i] = append(d.nameMentions[i], mention{at.Start, at.End, e})
			d.nameCount[e]++
			if !s.Fragment {
				d.runningCount[e]++
			}
		}
	}
	inside := make([]bool, len(d.names)) // by name: it occurs elsewhere than at the beginning of a sentence
	for i := range d.Sentences {
		for _, m := range d.nameMentions[i] {
			inside[m.e] = inside[m.e] || m.a > 0
		}
	}
	for i, s := range d.Sentences {
		for k := range d.nameMentions[i] {
			m := &d.nameMentions[i][k]
			d.dropOpener(s, m, d.Technical && !inside[m.e])
		}
	}
}

// dropOpener drops the first word of a name seen only once if the rest is a known
// name and the word is never capitalised inside a sentence, as in "Whereat Scrooge". A name that
// is always at the beginning may occur more often: lists of changes repeat "Upgrade Ruff".
func (d *docReader) dropOpener(s textproc.Sentence, m *mention, always bool) {
	first := s.Tokens[m.a]
	if m.b-m.a < 2 || first.Base.Capitalized > 0 || d.nameCount[m.e] != 1 && !always || first.Is(textproc.Title|textproc.GivenName) {
		return
	}
	rest, known := d.ids[d.Join(s.Tokens[m.a+1:m.b])]
	if !known || d.nameCount[rest] < 2 && !always || d.nameCount[rest] == 0 {
		return
	}
	d.nameCount[m.e]--
	d.nameCount[rest]++
	m.a, m.e = m.a+1, rest
}

// joinAliases decides which names are aliases of which others.
func (d *docReader) joinAliases() {
	speakers := map[string]bool{}
	for _, name := range d.Speakers {
		shown := textproc.SplitCamel(name)
		speakers[shown] = true
		d.id(shown)
	}
	n := len(d.names)
	d.alias, d.isAliasTarget = make([]int, n), make([]bool, n)
	for e := range d.alias {
		d.alias[e] = e
	}
	a := newAliasResolver(d, speakers)
	for e := range n {
		if d.nameCount[e] > 0 {
			d.alias[e] = a.aliasOf(e)
		}
	}
	for e := range n { // the plural of initials: TCs is an alias of TC
		if one, ok := strings.CutSuffix(d.names[e], "s"); ok && d.nameCount[e] > 0 && isAllCapital(one) {
			if t, known := d.ids[one]; known && d.nameCount[t] > 0 {
				d.alias[e] = t
			}
		}
	}
	for _, s := range d.Sentences {
		d.joinInitials(s)
	}
	old := slices.Clone(d.alias)
	for e, t := range old {
		d.alias[e] = old[t]
		if d.alias[e] != e {
			d.isAliasTarget[d.alias[e]] = true
		}
	}
	for _, name := range d.Speakers {
		e := d.alias[d.ids[textproc.SplitCamel(name)]]
		d.speakerOf[name], d.isSpeaker[e] = e, true
	}
}

func isAllCapital(s string) bool {
	return s != "" && s == strings.ToUpper(s) && s != strings.ToLower(s)
}

// joinInitials makes LN an alias of Long Name where "Long Name (LN)" is written.
func (d *docReader) joinInitials(s textproc.Sentence) {
	t := s.Tokens
	for i := 2; i+2 < len(t); i++ {
		w := t[i+1]
		if !t[i].IsSymbol('(') || !t[i+2].IsSymbol(')') || !w.Has(textproc.AllUpper) || !w.Has(textproc.AllLetters) || w.Runes < 2 || w.Runes > 7 {
			continue
		}
		short, known := d.ids[w.Text]
		if !known || d.nameCount[short] == 0 {
			continue
		}
		for k := i - 1; k >= 0 && i-k < 14 && t[k].Has(textproc.Letters); k-- {
			if t[k].Has(textproc.Capital) && initials(t[k:i]) == w.Text {
				long, known := d.ids[strings.TrimPrefix(d.Join(t[k:i]), "The ")]
				if known && d.nameCount[long] > 0 && long != short {
					d.alias[short] = long
				}
				break
			}
		}
	}
}

func initials(toks []textproc.Token) string {
	var b strings.Builder
	for _, t := range toks {
		if t.Has(textproc.Capital) {
			r, _ := utf8.DecodeRuneInString(t.Text)
			b.WriteRune(r)
		}
	}
	return b.String()
}

// An aliasResolver joins the forms of a name by its normalised form.
type aliasResolver struct {
	d            *docReader
	speakerForms map[string]bool     // normalised names of speakers
	forms        []string            // normalised form by number
	bestForm     map[string]int      // the name to show for a normalised form
	total        map[string]int      // occurrences of a normalised form
	longForms    map[string][]string // normalised long names by first and last word
	speakerNames map[string]bool
}

func newAliasResolver(d *docReader, speakers map[string]bool) *aliasResolver {
	a := &aliasResolver{
		d: d, speakerNames: speakers, speakerForms: map[string]bool{}, forms: make([]string, len(d.names)),
		bestForm: map[string]int{}, total: map[string]int{}, longForms: map[string][]string{},
	}
	for e, name := range d.names {
		a.forms[e] = normalForm(name)
		a.total[a.forms[e]] += d.nameCount[e]
	}
	for e, form := range a.forms {
		if rest := withoutEpithet(form); a.total[rest] > a.total[form] {
			a.forms[e] = rest
			a.total[rest] += d.nameCount[e]
		}
	}
	for e, name := range d.names {
		form := a.forms[e]
		if speakers[name] {
			a.speakerForms[form] = true
		} else if d.nameCount[e] == 0 {
			continue
		}
		if best, ok := a.bestForm[form]; !ok || a.isBetterForm(e, best) {
			a.bestForm[form] = e
		}
		a.addLongForm(e)
	}
	for word, longs := range a.longForms {
		slices.SortFunc(longs, func(x, y string) int { return cmp.Or(cmp.Compare(a.total[y], a.total[x]), strings.Compare(x, y)) })
		longs = slices.Compact(longs)
		if len(longs) > 1 && a.total[longs[0]] >= 3*a.total[longs[1]] && a.total[longs[0]] > 2 {
			longs = longs[:1]
		}
		a.longForms[word] = longs
	}
	return a
}

// isBetterForm reports whether e is a better form to show than than: the form of a
// speaker, else the more frequent one, else the last in byte order.
func (a *aliasResolver) isBetterForm(e, than int) bool {
	x, y := a.d.names[e], a.d.names[than]
	if a.speakerNames[x] != a.speakerNames[y] {
		return a.speakerNames[x]
	}
	return cmp.Or(cmp.Compare(a.d.nameCount[e], a.d.nameCount[than]), strings.Compare(x, y)) > 0
}

// addLongForm registers e under the words that may be short forms of it.
func (a *aliasResolver) addLongForm(e int) {
	name := a.d.names[e]
	words := strings.Fields(a.forms[e])
	if len(words) < 2 || len(words) > 3 || isFeminine(name) {
		return
	}
	if !a.speakerNames[name] {
		for w := range strings.FieldsSeq(name) {
			if w == "&" || textproc.ClassOf(w)&textproc.NameLink != 0 || strings.Contains(w, "'s") || strings.Contains(w, "’s") {
				return
			}
		}
	}
	last := words[len(words)-1]
	if textproc.ClassOf(last)&textproc.NameSuffix != 0 {
		return
	}
	for _, w := range words[:len(words)-1] {
		if textproc.ClassOf(w)&textproc.Preposition != 0 {
			return
		}
	}
	a.longForms[last] = append(a.longForms[last], a.forms[e])
	if len(words) == 2 || a.speakerNames[name] {
		a.longForms[words[0]] = append(a.longForms[words[0]], a.forms[e])
	}
}

// isFeminine reports whether a title marks a woman, so that the name is not an
// alias of the name without the title: Mrs. Cratchit is not Cratchit.
func isFeminine(name string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(name), " ")
	switch first {
	case "mrs.", "mrs", "queen", "sister", "aunt", "lady":
		return true
	case "miss":
		return textproc.ClassOf(rest)&textproc.GivenName == 0
	}
	return false
}

// aliasOf returns the name that e is an alias of: the long form, or the short one
// if that is at least eight times as frequent.
func (a *aliasResolver) aliasOf(e int) int {
	if isFeminine(a.d.names[e]) {
		return e
	}
	form := a.forms[e]
	last := form[strings.LastIndexByte(form, ' ')+1:]
	if last == form {
		if longs := a.longForms[form]; len(longs) == 1 && (a.speakerForms[longs[0]] || a.total[form] < 8*a.total[longs[0]]) {
			return a.bestForm[longs[0]]
		}
		return a.bestForm[form]
	}
	if longs := a.longForms[last]; len(longs) == 1 && longs[0] == form && !a.speakerForms[form] {
		if short, ok := a.bestForm[last]; ok && a.total[last] >= 8*a.total[form] {
			return short
		}
	}
	return a.bestForm[form]
}

// withoutEpithet drops the "old" of "old Marley".
func withoutEpithet(form string) string {
	first, rest, ok := strings.Cut(form, " ")
	switch first {
	case "old", "poor", "dear":
		if ok {
			return rest
		}
	}
	return form
}

// normalForm returns a name for comparison: lower case, without punctuation,
// articles and titles.
func normalForm(name string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_' || r == '\'' || r == '-':
			return r
		}
		return ' '
	}, strings.ToLower(name)))
	for len(words) > 1 && textproc.ClassOf(words[0])&(textproc.Determiner|textproc.DroppedTitle) != 0 {
		words = words[1:]
	}
	return strings.Join(slices.Compact(words), " ")
}
