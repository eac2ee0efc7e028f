package resolve

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A Name is what all mentions of a name say about it. Counts are of records.
type Name struct {
	Name             string // normalised
	Spellings, Types map[string]int
	English          bool // a document in English mentions it
	Description      string

	documents map[string]bool // that mention it, if it may be or have initials
}

// Shown returns the most frequent spelling.
func (n *Name) Shown() string { return mostFrequent(n.Spellings) }

// Type returns the most frequent type, unknown for none.
func (n *Name) Type() string { return cmp.Or(mostFrequent(n.Types), graph.TypeUnknown) }

// An Abbreviation is a full form and its abbreviation as a text introduces it: Long Form (LF). Fold
// expects both normalised; Abbreviations returns both as they are spelled.
type Abbreviation struct{ Long, Short string }

// Fold returns for every name the name of its entity. The following names have the same entity:
// names that differ only in number or hyphens, a full form and its abbreviation, names that a user
// merged or a model confirmed, and with strict also names that the strict rules join. An
// abbreviation of several full forms is not merged. The result does not depend on the order of
// names or pairs.
func Fold(names []Name, pairs []Abbreviation, d graph.NameDecisions, strict bool) map[string]string {
	f := folder{parent: map[string]string{}, names: map[string]*Name{}, split: map[string]bool{}, short: map[string]bool{}}
	for i := range names {
		f.names[names[i].Name] = &names[i]
		f.parent[names[i].Name] = names[i].Name
	}
	for _, n := range d.Split {
		f.split[n] = true
	}
	f.joinSpellings()
	f.joinAbbreviations(pairs)
	if strict {
		f.joinInitials()
		f.joinSurnames()
	}
	f.joinAsked(d)
	for _, p := range d.Merged {
		f.join(p[0], p[1])
	}
	return f.groups()
}

type folder struct {
	names  map[string]*Name
	parent map[string]string // of a forest: a name in it, itself for a root
	split  map[string]bool
	short  map[string]bool // abbreviations
}

func (f *folder) root(n string) string {
	for f.parent[n] != n {
		n = f.parent[n]
	}
	return n
}

// join joins the groups of two names, if both are known.
func (f *folder) join(a, b string) {
	if f.names[a] == nil || f.names[b] == nil {
		return
	}
	if a, b = f.root(a), f.root(b); a != b {
		f.parent[max(a, b)] = min(a, b)
	}
}

// joinByRule is join unless a person decided otherwise.
func (f *folder) joinByRule(a, b string) {
	if !f.split[a] && !f.split[b] {
		f.join(a, b)
	}
}

// joinSpellings joins names that differ in number or hyphens.
func (f *folder) joinSpellings() {
	classes := map[string][]*Name{}
	for _, n := range f.names {
		c := Class(n.Name)
		classes[c] = append(classes[c], n)
	}
	for _, same := range classes {
		for i, a := range same {
			for _, b := range same[:i] {
				if joinsSpelling(a, b) {
					f.joinByRule(a.Name, b.Name)
				}
			}
		}
	}
}

func joinsSpelling(a, b *Name) bool {
	longA, shortA := bracketed(a.Name)
	longB, shortB := bracketed(b.Name)
	if shortA != "" || shortB != "" {
		return longA == longB || isPluralOf(longA, longB) || isPluralOf(longB, longA)
	}
	return equalWords(a.Name, b.Name) || joinsNumber(a, b) || joinsNumber(b, a)
}

// joinAbbreviations joins abbreviations with their full forms, unless they have several.
func (f *folder) joinAbbreviations(pairs []Abbreviation) {
	longs, shorts := map[string]map[string]bool{}, map[string][]Abbreviation{} // by group of the abbreviation
	for _, p := range pairs {
		if f.names[p.Long] == nil || f.names[p.Short] == nil {
			continue
		}
		short := f.root(p.Short)
		if longs[short] == nil {
			longs[short] = map[string]bool{}
		}
		longs[short][Class(p.Long)] = true
		shorts[short] = append(shorts[short], p)
	}
	for n := range f.names {
		f.short[n] = len(longs[f.root(n)]) == 1
	}
	for _, short := range slices.Sorted(maps.Keys(shorts)) {
		if len(longs[short]) > 1 {
			continue
		}
		for _, p := range shorts[short] {
			f.joinByRule(p.Long, p.Short)
		}
	}
}

// groups chooses the name of each group: rather a full form than an abbreviation, rather the
// singular than a plural, and rather a short name than a long one.
func (f *folder) groups() map[string]string {
	out := make(map[string]string, len(f.names))
	for _, group := range f.members() {
		best := group[0]
		if len(group) > 1 {
			best = slices.MinFunc(group, f.compare(group))
		}
		for _, n := range group {
			out[n] = best
		}
	}
	return out
}

// members returns the names of each group by its root.
func (f *folder) members() map[string][]string {
	members := map[string][]string{}
	for n := range f.names {
		members[f.root(n)] = append(members[f.root(n)], n)
	}
	return members
}

func (f *folder) compare(group []string) func(a, b string) int {
	rank := map[string]int{}
	for _, n := range group {
		if _, short := bracketed(n); short != "" {
			rank[n] = 2
		}
		if f.short[n] {
			rank[n] = 4
		}
		if slices.ContainsFunc(group, func(o string) bool { return isPluralOf(n, o) }) {
			rank[n]++
		}
	}
	return func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)), cmp.Compare(a, b))
	}
}

// A Folder gathers what mentions say about names.
type Folder struct {
	Strict bool // names are joined by the strict rules too

	names map[string]*Name
	pairs map[Abbreviation]bool
	same  map[string]map[string]bool // names that a text introduces as the same
	norm  map[string]string
}

// Add adds the records of a mention: spellings and types are parallel. same are pairs as
// EntityMention.Same has them. It returns the normalised names.
func (f *Folder) Add(spellings, types, same []string, english bool) []string {
	if f.names == nil {
		f.names, f.pairs, f.norm = map[string]*Name{}, map[Abbreviation]bool{}, map[string]string{}
		f.same = map[string]map[string]bool{}
	}
	var out []string
	for i, s := range spellings {
		name, ok := f.norm[s]
		if !ok {
			name = Normalise(s)
			f.norm[s] = name
		}
		n := f.names[name]
		if n == nil {
			n = &Name{Name: name, Spellings: map[string]int{}, Types: map[string]int{}}
			f.names[name] = n
		}
		n.Spellings[s]++
		if types[i] != graph.TypeUnknown {
			n.Types[types[i]]++
		}
		n.English = n.English || english
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, s := range same {
		long, short, _ := strings.Cut(s, pairSeparator)
		f.pairs[Abbreviation{long, short}] = true
		for _, p := range [][2]string{{long, short}, {short, long}} {
			if f.same[p[0]] == nil {
				f.same[p[0]] = map[string]bool{}
			}
			f.same[p[0]][p[1]] = true
		}
	}
	return out
}

// Fold is Fold of all that was added.
func (f *Folder) Fold(d graph.NameDecisions) map[string]string {
	names := make([]Name, 0, len(f.names))
	for _, n := range f.names {
		names = append(names, *n)
	}
	return Fold(names, slices.Collect(maps.Keys(f.pairs)), d, f.Strict)
}

// In notes that a document mentions names, if the strict rules need it.
func (f *Folder) In(names []string, document string) {
	if !f.Strict {
		return
	}
	for _, name := range names {
		n := f.names[name]
		if n.documents == nil && len(strictInitials(formOf(name))) == 0 {
			continue
		}
		if n.documents == nil {
			n.documents = map[string]bool{}
		}
		n.documents[document] = true
	}
}

// Name returns what was added of a name, nil for nothing.
func (f *Folder) Name(name string) *Name { return f.names[name] }

// Describe notes a description of the name of a spelling that was added. Of several, the longest
// stays.
func (f *Folder) Describe(spelling, description string) {
	n := f.names[f.norm[spelling]]
	if n == nil {
		return
	}
	d := text.Shorten(text.OneLine(description), maxSaid)
	if len(d) > len(n.Description) || len(d) == len(n.Description) && d < n.Description {
		n.Description = d
	}
}

// maxSaid is how much of a description is kept to ask about a name, in bytes.
const maxSaid = 200

// Introduced returns the names that a text introduces as the same as a name, sorted.
func (f *Folder) Introduced(name string) []string {
	return slices.Sorted(maps.Keys(f.same[name]))
}
