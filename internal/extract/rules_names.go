package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/textproc"
)

// crowd is the number of names in one sentence above which it is a list that
// tells nothing of them.
const crowd = 25

// maxWords is the most words of a name.
const maxWords = 7

// readNames finds the names of every sentence and counts them.
func (d *paper) readNames() {
	d.spans = make([][]mention, len(d.Sentences))
	for i, s := range d.Sentences {
		for _, at := range d.Names(s) {
			name := d.Join(s.Tokens[at.Start:at.End])
			if utf8.RuneCountInString(name) > maxName || name == "" {
				continue
			}
			e := d.id(name)
			d.spans[i] = append(d.spans[i], mention{at.Start, at.End, e})
			d.count[e]++
			if !s.Fragment {
				d.running[e]++
			}
		}
	}
	for i, s := range d.Sentences {
		for k := range d.spans[i] {
			d.dropOpener(s, &d.spans[i][k])
		}
	}
}

// dropOpener takes the first word from a name seen once when it is seen nowhere
// else and the rest is a known name (Whereat Scrooge).
func (d *paper) dropOpener(s textproc.Sentence, m *mention) {
	first := s.Tokens[m.a]
	if m.b-m.a < 2 || first.Base.Mid > 0 || d.count[m.e] != 1 || first.Is(textproc.Title|textproc.GivenName) {
		return
	}
	rest, known := d.ids[d.Join(s.Tokens[m.a+1:m.b])]
	if !known || d.count[rest] < 2 {
		return
	}
	d.count[m.e]--
	d.count[rest]++
	m.a, m.e = m.a+1, rest
}

// joinAliases decides which names stand for which others.
func (d *paper) joinAliases() {
	speakers := map[string]bool{}
	for _, name := range d.Speakers {
		shown := textproc.SplitCamel(name)
		speakers[shown] = true
		d.id(shown)
	}
	n := len(d.names)
	d.alias, d.target = make([]int, n), make([]bool, n)
	for e := range d.alias {
		d.alias[e] = e
	}
	a := newAliases(d, speakers)
	for e := range n {
		if d.count[e] > 0 {
			d.alias[e] = a.standsFor(e)
		}
	}
	for e := range n { // TCs to TC
		if one, ok := strings.CutSuffix(d.names[e], "s"); ok && d.count[e] > 0 && allCapital(one) {
			if t, known := d.ids[one]; known && d.count[t] > 0 {
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
			d.target[d.alias[e]] = true
		}
	}
	for _, name := range d.Speakers {
		e := d.alias[d.ids[textproc.SplitCamel(name)]]
		d.speaker[name], d.speaks[e] = e, true
	}
}

func allCapital(s string) bool {
	return s != "" && s == strings.ToUpper(s) && s != strings.ToLower(s)
}

// joinInitials reads "Long Name (LN)".
func (d *paper) joinInitials(s textproc.Sentence) {
	t := s.Tokens
	for i := 2; i+2 < len(t); i++ {
		w := t[i+1]
		if !t[i].IsMark('(') || !t[i+2].IsMark(')') || !w.Has(textproc.AllCapital) || !w.Has(textproc.AllLetters) || w.Runes < 2 || w.Runes > 7 {
			continue
		}
		short, known := d.ids[w.Text]
		if !known || d.count[short] == 0 {
			continue
		}
		for k := i - 1; k >= 0 && i-k < 14 && t[k].Has(textproc.Letters); k-- {
			if t[k].Has(textproc.Capital) && initials(t[k:i]) == w.Text {
				long, known := d.ids[strings.TrimPrefix(d.Join(t[k:i]), "The ")]
				if known && d.count[long] > 0 && long != short {
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

// aliases joins forms of one name, by its normalised form.
type aliases struct {
	d       *paper
	spoken  map[string]bool     // normalised names of speakers
	forms   []string            // normalised, by number
	shown   map[string]int      // the form that stands for a normalised name
	total   map[string]int      // times a normalised name was found
	longer  map[string][]string // normalised long names by first and last word
	speaker map[string]bool
}

func newAliases(d *paper, speakers map[string]bool) *aliases {
	a := &aliases{
		d: d, speaker: speakers, spoken: map[string]bool{}, forms: make([]string, len(d.names)),
		shown: map[string]int{}, total: map[string]int{}, longer: map[string][]string{},
	}
	for e, name := range d.names {
		a.forms[e] = normal(name)
		a.total[a.forms[e]] += d.count[e]
	}
	for e, form := range a.forms {
		if rest := withoutEpithet(form); a.total[rest] > a.total[form] {
			a.forms[e] = rest
			a.total[rest] += d.count[e]
		}
	}
	for e, name := range d.names {
		form := a.forms[e]
		if speakers[name] {
			a.spoken[form] = true
		} else if d.count[e] == 0 {
			continue
		}
		if best, ok := a.shown[form]; !ok || a.shows(e, best) {
			a.shown[form] = e
		}
		a.addLong(e)
	}
	for word, longs := range a.longer {
		slices.SortFunc(longs, func(x, y string) int { return cmp.Or(cmp.Compare(a.total[y], a.total[x]), strings.Compare(x, y)) })
		longs = slices.Compact(longs)
		if len(longs) > 1 && a.total[longs[0]] >= 3*a.total[longs[1]] && a.total[longs[0]] > 2 {
			longs = longs[:1]
		}
		a.longer[word] = longs
	}
	return a
}

// shows reports whether e is the better form to show: a speaker's, the more
// frequent, the bytewise last.
func (a *aliases) shows(e, than int) bool {
	x, y := a.d.names[e], a.d.names[than]
	if a.speaker[x] != a.speaker[y] {
		return a.speaker[x]
	}
	return cmp.Or(cmp.Compare(a.d.count[e], a.d.count[than]), strings.Compare(x, y)) > 0
}

// addLong notes e under the words that may stand for it alone.
func (a *aliases) addLong(e int) {
	name := a.d.names[e]
	words := strings.Fields(a.forms[e])
	if len(words) < 2 || len(words) > 3 || feminine(name) {
		return
	}
	if !a.speaker[name] {
		for w := range strings.FieldsSeq(name) {
			if w == "&" || textproc.ClassOf(w)&textproc.Link != 0 || strings.Contains(w, "'s") || strings.Contains(w, "’s") {
				return
			}
		}
	}
	last := words[len(words)-1]
	if textproc.ClassOf(last)&textproc.NameTails != 0 {
		return
	}
	for _, w := range words[:len(words)-1] {
		if textproc.ClassOf(w)&textproc.Preposition != 0 {
			return
		}
	}
	a.longer[last] = append(a.longer[last], a.forms[e])
	if len(words) == 2 || a.speaker[name] {
		a.longer[words[0]] = append(a.longer[words[0]], a.forms[e])
	}
}

// feminine reports whether a title says that the name is not the one without it.
func feminine(name string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(name), " ")
	switch first {
	case "mrs.", "mrs", "queen", "sister", "aunt", "lady":
		return true
	case "miss":
		return textproc.ClassOf(rest)&textproc.GivenName == 0
	}
	return false
}

// standsFor is the name that e stands for: the long form, or the short one when
// that is eight times as frequent.
func (a *aliases) standsFor(e int) int {
	if feminine(a.d.names[e]) {
		return e
	}
	form := a.forms[e]
	last := form[strings.LastIndexByte(form, ' ')+1:]
	if last == form {
		if longs := a.longer[form]; len(longs) == 1 && (a.spoken[longs[0]] || a.total[form] < 8*a.total[longs[0]]) {
			return a.shown[longs[0]]
		}
		return a.shown[form]
	}
	if longs := a.longer[last]; len(longs) == 1 && longs[0] == form && !a.spoken[form] {
		if short, ok := a.shown[last]; ok && a.total[last] >= 8*a.total[form] {
			return short
		}
	}
	return a.shown[form]
}

// withoutEpithet is a form without the "old" of "old Marley".
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

// normal is a name for comparing: lower case, without marks, articles and titles.
func normal(name string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_' || r == '\'' || r == '-':
			return r
		}
		return ' '
	}, strings.ToLower(name)))
	for len(words) > 1 && textproc.ClassOf(words[0])&(textproc.Determiner|textproc.PlainTitle) != 0 {
		words = words[1:]
	}
	return strings.Join(slices.Compact(words), " ")
}
