package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

// maxProminent bounds the entities that a report looks to for its themes.
const maxProminent = 12

// weighed is an entity with what makes it prominent in its community.
type weighed struct {
	graph.Entity
	salience int // degree inside, less for what is no proper thing
	weight   int // instances of its relationships inside
	child    int // where it belongs, or -1
}

// weigh ranks the entities of a community, the most prominent first.
func (p *packer) weigh() []weighed {
	weight := map[string]int{}
	for _, r := range p.relationships {
		weight[r.Source] += r.Weight
		weight[r.Target] += r.Weight
	}
	all := make([]weighed, 0, len(p.entities))
	for _, e := range p.entities {
		factor := 10
		switch e.Type {
		case graph.TypeUnknown, "":
			factor = 5
		case "concept":
			factor = 7
		}
		all = append(all, weighed{Entity: e, salience: p.degree[e.Key] * factor, weight: weight[e.Key], child: p.childAt(e.Key)})
	}
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.salience, a.salience), cmp.Compare(b.weight, a.weight), cmp.Compare(a.Key, b.Key))
	})
	return all
}

// name finds the community's themes and its title: the two or three most
// connected entities, in a community with children at most one of each, so
// that a report is not named as the largest of its children is.
func (p *packer) name() (prominent []graph.Entity, title string) {
	all := p.weigh()
	for _, w := range all[:min(len(all), maxProminent)] {
		prominent = append(prominent, w.Entity)
	}
	capitals := inCapitals(prominent)
	var names []string
	var first weighed
	met := map[int]bool{}
	for _, w := range all {
		switch {
		case len(names) == 3 || len(names) == 2 && len(p.children) == 0 && first.salience >= 3*w.salience:
			return prominent, join(names)
		case len(names) == 0:
			first = w
		case w.child >= 0 && met[w.child] && len(p.children) > 1 || alike(names, w.Name):
			continue
		}
		met[w.child] = true
		names = append(names, display(w.Name, capitals))
	}
	return prominent, join(names)
}

// alike reports whether one of the names says nothing that name does not, or
// the reverse: Scrooge and Ebenezer Scrooge.
func alike(names []string, name string) bool {
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

// wordsOf are the words of a name without articles, possessives and case.
func wordsOf(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.NewReplacer("’", "'").Replace(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	for i := range words {
		words[i] = strings.Trim(strings.TrimSuffix(words[i], "'s"), "'")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "the" || w == "a" || w == "an" })
}

// inCapitals reports whether names come in capitals throughout, as some models
// write them; then capitals say nothing and need not be kept.
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

// small are the words of a name that stay in lower case.
var small = map[string]bool{"a": true, "an": true, "and": true, "at": true, "by": true, "for": true, "from": true, "in": true, "of": true, "on": true, "or": true, "the": true, "to": true, "with": true}

// display is a name as a heading shows it.
func display(name string, capitals bool) string {
	name = line(name)
	if !capitals {
		return name
	}
	words := strings.Fields(strings.ToLower(name))
	for i, w := range words {
		if i > 0 && small[w] {
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

// upperFirst begins a text with a capital, unless it begins with an address.
func upperFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(strings.TrimRight(first, "."), "./@_") {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// articled are the first words of names that take an article in a list: the Ghost of Christmas Past.
var articled = map[string]bool{
	"bank": true, "battle": true, "board": true, "bureau": true, "church": true, "city": true, "council": true, "court": true, "department": true,
	"duke": true, "emperor": true, "ghost": true, "gulf": true, "house": true, "isle": true, "king": true, "kingdom": true, "lord": true, "ministry": true,
	"museum": true, "office": true, "president": true, "queen": true, "republic": true, "sea": true, "siege": true, "spirit": true, "state": true,
	"treaty": true, "united": true, "university": true, "war": true,
}

// join lists names as a person would: A, B and C.
func join(names []string) string {
	if len(names) == 0 {
		return "Unnamed community"
	}
	named := slices.Clone(names)
	for i, n := range named[1:] {
		switch first, rest, _ := strings.Cut(n, " "); {
		case articled[strings.ToLower(first)] && strings.HasPrefix(rest, "of "):
			named[i+1] = "the " + n
		case first == "The" && rest != "":
			named[i+1] = "the " + rest
		}
	}
	last := len(named) - 1
	text := named[last]
	if last > 0 {
		text = strings.Join(named[:last], ", ") + " and " + text
	}
	return upperFirst(text)
}

// rating is 0 to 10 by size, weight and claims, each on a logarithmic scale
// that is full at 200 entities, 1,000 instances and 100 claims.
func rating(size, weight, claims int) (float64, string) {
	share := func(n int, full float64) float64 { return min(1, math.Log1p(float64(n))/math.Log1p(full)) }
	r := 4*share(size, 200) + 4*share(weight, 1000) + 2*share(claims, 100)
	return math.Round(r*10) / 10, "Computed from " + countOf(size, "entity", "entities") + ", " +
		countOf(weight, "mention of their relationships", "mentions of their relationships") + " and " + countOf(claims, "claim", "claims") + "; more of each rates higher."
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// termSet is what a sentence is about, for comparing it with others.
func termSet(text string) map[string]bool {
	terms := textproc.Terms(text)
	set := make(map[string]bool, len(terms))
	for _, t := range terms {
		set[t] = true
	}
	return set
}

// overlap is the share of the smaller set that the other holds.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for t := range a {
		if b[t] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}
