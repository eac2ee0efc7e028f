package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// nameCommunity returns the prominent entities of a community with their ranks, and its title.
func (p *packer) nameCommunity() (prominent []graph.Entity, ranked []rankedEntity, title string) {
	all := p.rankEntities()
	ranked = all[:min(len(all), maxProminent)]
	for _, w := range ranked {
		prominent = append(prominent, w.Entity)
	}
	capitals := inCapitals(prominent)
	var names []string
	for _, w := range titleEntities(all, len(p.children)) {
		names = append(names, displayName(w.Name, capitals))
	}
	return prominent, ranked, joinNames(names)
}

// titleEntities returns the entities that a title made of names shows: the two or three most
// connected ones; in a community with children at most one of each child, so that the title
// differs from the title of the largest child.
func titleEntities(ranked []rankedEntity, children int) (out []rankedEntity) {
	var names []string
	met := map[int]bool{}
	for _, w := range ranked {
		switch {
		case len(out) == 3 || len(out) == 2 && children == 0 && out[0].salience >= 3*w.salience:
			return out
		case len(out) > 0 && (w.child >= 0 && met[w.child] && children > 1 || sameSubject(names, w.Name)):
			continue
		}
		met[w.child] = true
		out, names = append(out, w), append(names, w.Name)
	}
	return out
}

// sameSubject reports whether the words of one of names are a subset of the words of name,
// or the reverse, as with Scrooge and Ebenezer Scrooge.
func sameSubject(names []string, name string) bool {
	words := wordsOf(name)
	for _, n := range names {
		other := wordsOf(n)
		if subset(words, other) || subset(other, words) {
			return true
		}
	}
	return false
}

func subset(a, b []string) bool {
	for _, w := range a {
		if !slices.Contains(b, w) {
			return false
		}
	}
	return true
}

// wordsOf returns the words of a name in lower case, without articles and possessives.
func wordsOf(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.NewReplacer("’", "'").Replace(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	for i := range words {
		words[i] = strings.Trim(strings.TrimSuffix(words[i], "'s"), "'")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "the" || w == "a" || w == "an" })
}

// inCapitals reports whether all names are in capitals, as some models write them.
// The capitals then carry no information and need not be kept.
func inCapitals(entities []graph.Entity) bool {
	letters := 0
	for _, e := range entities {
		for _, r := range e.Name {
			if unicode.IsLower(r) {
				return false
			}
			if unicode.IsUpper(r) {
				letters++
			}
		}
	}
	return letters > 3 && len(entities) > 1
}

// lowerCaseWords are the words that stay in lower case inside a name.
const lowerCaseWords = " a an and at by for from in of on or the to with "

// displayName returns a name as a heading shows it.
func displayName(name string, capitals bool) string {
	name = plainLine(name)
	if !capitals {
		return name
	}
	words := strings.Fields(strings.ToLower(name))
	for i, w := range words {
		if i > 0 && strings.Contains(lowerCaseWords, " "+w+" ") {
			continue
		}
		parts := strings.Split(w, "-")
		for k, part := range parts {
			parts[k] = upperFirst(part)
		}
		words[i] = strings.Join(parts, "-")
	}
	return strings.Join(words, " ")
}

// upperFirst makes the first letter a capital, unless the text begins with an address or with a
// name such as macOS.
func upperFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsFunc(first, unicode.IsUpper) || strings.ContainsAny(strings.TrimRight(first, "."), "./@_") {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// articleNouns are the first words of names that get an article in a list, as in "the
// Ghost of Christmas Past".
const articleNouns = " bank battle board bureau church city council court department duke emperor ghost gulf house isle king kingdom lord " +
	"ministry museum office president queen republic sea siege spirit state treaty united university war "

// joinNames joins names as "A, B and C".
func joinNames(names []string) string {
	if len(names) == 0 {
		return "Unnamed community"
	}
	return upperFirst(joinEnglish(names))
}

// joinEnglish joins names as joinNames does, but keeps the first letter.
func joinEnglish(names []string) string {
	named := slices.Clone(names)
	for i, n := range named[1:] {
		switch first, rest, _ := strings.Cut(n, " "); {
		case strings.Contains(articleNouns, " "+strings.ToLower(first)+" ") && strings.HasPrefix(rest, "of "):
			named[i+1] = "the " + n
		case first == "The" && rest != "":
			named[i+1] = "the " + rest
		}
	}
	return text.JoinAnd(named)
}

// overlap returns the share of the smaller set that is in the other set.
func overlap(a, b textproc.TermSet) float64 {
	return float64(a.Shared(b)) / float64(max(1, min(len(a), len(b))))
}
