package resolve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// joinAsked joins the pairs of names that a model confirmed, unless the joined group would contain a
// pair that the model rejected, or a pair that it was not asked about and whose names differ: Smith
// does not join John Smith and Jane Smith.
func (f *folder) joinAsked(d graph.NameDecisions) {
	rejected := map[[2]string]bool{}
	for _, p := range d.Asked {
		if !p.Same {
			rejected[[2]string{p.A, p.B}] = true
		}
	}
	var confirmed [][2]string
	for _, p := range d.Asked {
		if p.Same && f.names[p.A] != nil && f.names[p.B] != nil && !f.split[p.A] && !f.split[p.B] {
			confirmed = append(confirmed, [2]string{p.A, p.B})
		}
	}
	if len(confirmed) == 0 {
		return
	}
	slices.SortFunc(confirmed, comparePairs)
	members := f.members()
	for _, p := range confirmed {
		a, b := f.root(p[0]), f.root(p[1])
		apart := func(x, y string) bool {
			return rejected[[2]string{min(x, y), max(x, y)}] || (x != p[0] || y != p[1]) && differ(formOf(x), formOf(y))
		}
		if a == b || slices.ContainsFunc(members[a], func(x string) bool {
			return slices.ContainsFunc(members[b], func(y string) bool { return apart(x, y) })
		}) {
			continue
		}
		f.markShort(p)
		f.join(p[0], p[1])
		members[f.root(a)] = slices.Concat(members[a], members[b])
	}
}

// differ reports whether two names that share a word denote different entities, because each
// has another word that the other lacks.
func differ(a, b *form) bool {
	if a.numbers != "" && b.numbers != "" && a.numbers != b.numbers || otherGender(a, b) {
		return true
	}
	shared := slices.ContainsFunc(a.words, func(w string) bool { return slices.Contains(b.words, w) })
	return shared && partOf(a, b) == 0 && partOf(b, a) == 0 && likeness(a.letters, b.letters) == 0
}

// markShort notes which name of a pair is a part or the initials of the other one, which is then
// rather the name of both.
func (f *folder) markShort(p [2]string) {
	for i, n := range p {
		short, long := formOf(n), formOf(p[1-i])
		if short.isInitialsOf(long) || len(short.words) < len(long.words) && partOf(short, long) > 0 {
			f.short[n] = true
		}
	}
}

// joinSurnames joins the surname of a person with the full name, if the corpus has one person of
// this surname, and a full name with the same one after a title. Where a title comes before the
// surname alone, it may be the name of a relative, and nothing is joined. All names are written with
// capitals: the clerk is not Scrooge's clerk.
func (f *folder) joinSurnames() {
	full, surnames, relatives := map[string][][2]string{}, []string{}, map[string]bool{}
	for name, n := range f.names {
		if mostFrequent(n.Types) != typePerson || n.hasSpelling(endsInLower) || !n.hasSpelling(isPersonal) {
			continue
		}
		switch x := formOf(name); {
		case len(x.words) == 0 || x.numbers != "":
		case len(x.words) > 1 && len(x.words) == len(x.all):
			last := x.words[len(x.words)-1]
			full[last] = append(full[last], [2]string{name, x.letters})
		case len(x.titles) > 0:
			relatives[x.words[0]] = true
		case x.words[0] == name && len(name) >= minWord && textproc.ClassOf(name)&(textproc.GivenName|commonNoun) == 0:
			surnames = append(surnames, name)
		}
	}
	for _, names := range full {
		for i, a := range names {
			for _, b := range names[:i] {
				titled := len(formOf(a[0]).titles)+len(formOf(b[0]).titles) > 0
				if a[1] == b[1] && titled && droppedTitles(a[0]) && droppedTitles(b[0]) {
					f.joinByRule(a[0], b[0])
				}
			}
		}
	}
	for _, s := range surnames {
		names := full[s]
		if len(names) == 0 || relatives[s] || slices.ContainsFunc(names, func(n [2]string) bool { return f.root(n[0]) != f.root(names[0][0]) }) {
			continue
		}
		f.short[s] = true
		f.joinByRule(s, names[0][0])
	}
}

// isPersonal reports whether a spelling is words with capitals, like a personal name, without
// possessives. Small words inside names may be in lower case.
func isPersonal(spelling string) bool {
	for w := range strings.FieldsSeq(spelling) {
		first, _ := utf8.DecodeRuneInString(w)
		isLetters := !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != '-' && r != '\'' && r != '’' })
		isLink := textproc.ClassOf(w)&textproc.NameLink != 0
		if !isLetters || !unicode.IsUpper(first) && !isLink || strings.HasSuffix(strings.ReplaceAll(strings.ToLower(w), "’", "'"), "'s") {
			return false
		}
	}
	return true
}

// droppedTitles reports whether a name has no title, or only titles that say nothing of who it is.
func droppedTitles(name string) bool {
	x := formOf(name)
	return !x.isFemale() && !slices.ContainsFunc(x.titles, func(t string) bool { return textproc.ClassOf(t)&textproc.DroppedTitle == 0 })
}

// joinInitials joins an abbreviation with the only name that has its initials, if a document
// mentions both. One that has a full form already is left as it is.
func (f *folder) joinInitials() {
	long, full, before := map[string][]string{}, map[string]bool{}, map[string]string{}
	for name, n := range f.names {
		x := formOf(name)
		before[name] = f.root(name)
		full[before[name]] = full[before[name]] || len(x.all) > 1
		if len(x.all) > 1 && n.hasSpelling(isCapitalised) {
			for _, i := range strictInitials(x) {
				long[i] = append(long[i], name)
			}
		}
	}
	for short, n := range f.names {
		names := long[short]
		several := slices.ContainsFunc(names, func(l string) bool { return before[l] != before[names[0]] })
		if len(names) == 0 || several || full[before[short]] || !n.hasSpelling(isAbbreviation) {
			continue
		}
		for _, l := range names {
			if typesAgree(n.Type(), f.names[l].Type()) && shareDocument(n, f.names[l]) {
				f.short[short] = true
				f.joinByRule(short, l)
			}
		}
	}
}

func shareDocument(a, b *Name) bool {
	for d := range a.documents {
		if b.documents[d] {
			return true
		}
	}
	return false
}

// isCapitalised reports whether all words of a spelling begin with a capital, except small ones.
func isCapitalised(spelling string) bool {
	for w := range strings.FieldsSeq(spelling) {
		isSmall := w == "the" || strings.Contains(smallWords, " "+w+" ")
		if first, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(first) && !isSmall {
			return false
		}
	}
	return true
}

// minInitials is how many initials the strict rule need.
const minInitials = 3

// strictInitials returns the initials by which the strict rules join a name with its abbreviation,
// or the name itself if it may be one.
func strictInitials(x *form) []string {
	all := x.initials()
	if x.isShort() {
		all = []string{x.letters}
	}
	return slices.DeleteFunc(all, func(i string) bool { return utf8.RuneCountInString(i) < minInitials })
}

// StrictKeys returns what two names share that the strict rules may join: their last word or their
// initials.
func StrictKeys(name string) []string {
	x := formOf(name)
	var out []string
	if len(x.words) > 0 {
		out = append(out, "word "+x.words[len(x.words)-1])
	}
	for _, i := range strictInitials(x) {
		out = append(out, "initials "+i)
	}
	return out
}
