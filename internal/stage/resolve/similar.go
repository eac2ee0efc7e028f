package resolve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// SimilarVersion changes when the strict rules join other names.
const SimilarVersion = "similar-1"

// Limits of Candidates.
const (
	// MaxSimilar is how many pairs of a new group are candidates at most, the most similar ones.
	MaxSimilar = 5
	// maxBlock is how many groups may share a word, initials or an ending for these to select
	// pairs: what more names share says little.
	maxBlock = 40
)

// A Group is the names of an entity.
type Group struct {
	Name  string   // of the entity, one of Names
	Names []string // normalised
	Type  string
	New   bool // only pairs with a new group are candidates
	Near  []Near
}

// A Near is another group whose vector is similar.
type Near struct {
	Name   string // of the entity
	Cosine float64
}

// Candidates returns pairs of groups, by name, that are likely to be the same entity: their
// spelling or their vectors are similar, one is a part of the other, or has its initials. Names
// with different numbers, and a person and a place or an organization, are never candidates. Each
// pair has its smaller name first; pairs are sorted. Groups that share no word, initials,
// beginning or ending, and are not near, are not compared.
func Candidates(groups []Group) [][2]string {
	c := comparison{groups: slices.SortedFunc(slices.Values(groups), func(a, b Group) int { return cmp.Compare(a.Name, b.Name) }), best: map[[2]int]float64{}}
	at := map[string]int{}
	var forms []groupForm
	for i, g := range c.groups {
		at[g.Name] = i
		for _, n := range g.Names {
			forms = append(forms, groupForm{i, formOf(n)})
		}
	}
	blocks := blocksOf(forms)
	for _, key := range slices.Sorted(maps.Keys(blocks)) {
		c.compare(blocks[key])
	}
	for i, g := range c.groups {
		for _, n := range g.Near {
			if j, ok := at[n.Name]; ok && i != j && c.compatible(i, j, formOf(g.Name), formOf(n.Name)) {
				c.note(i, j, n.Cosine)
			}
		}
	}
	return c.chosen()
}

// A groupForm is a name of the group with this index.
type groupForm struct {
	group int
	form  *form
}

// blocksOf returns the names that share a key, without keys of more than maxBlock groups.
func blocksOf(forms []groupForm) map[string][]groupForm {
	blocks, groups := map[string][]groupForm{}, map[string]map[int]bool{}
	for _, f := range forms {
		for _, key := range f.form.keys() {
			if groups[key] == nil {
				groups[key] = map[int]bool{}
			}
			if groups[key][f.group] = true; len(groups[key]) <= maxBlock {
				blocks[key] = append(blocks[key], f)
			}
		}
	}
	maps.DeleteFunc(blocks, func(key string, _ []groupForm) bool { return len(groups[key]) > maxBlock || len(groups[key]) < 2 })
	return blocks
}

// A comparison collects how similar groups are.
type comparison struct {
	groups []Group            // sorted by name
	best   map[[2]int]float64 // similarity of two groups, the smaller index first
}

func (c *comparison) compare(block []groupForm) {
	for i, a := range block {
		for _, b := range block[:i] {
			if a.group == b.group || !c.groups[a.group].New && !c.groups[b.group].New || !c.compatible(a.group, b.group, a.form, b.form) {
				continue
			}
			if s := a.form.similarity(b.form, areNamed(c.groups[a.group].Type, c.groups[b.group].Type)); s > 0 {
				c.note(a.group, b.group, s)
			}
		}
	}
}

// compatible reports whether two groups may be the same entity.
func (c *comparison) compatible(i, j int, a, b *form) bool {
	return a.numbers == b.numbers && !otherGender(a, b) && typesAgree(c.groups[i].Type, c.groups[j].Type)
}

func (c *comparison) note(i, j int, similarity float64) {
	pair := [2]int{min(i, j), max(i, j)}
	c.best[pair] = max(c.best[pair], similarity)
}

// chosen returns the pairs that are among the MaxSimilar best of a new group.
func (c *comparison) chosen() [][2]string {
	of := map[int][][2]int{}
	for pair := range c.best {
		for _, i := range pair {
			if c.groups[i].New {
				of[i] = append(of[i], pair)
			}
		}
	}
	chosen := map[[2]int]bool{}
	for _, pairs := range of {
		slices.SortFunc(pairs, func(a, b [2]int) int {
			return cmp.Or(cmp.Compare(c.best[b], c.best[a]), cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
		for _, p := range pairs[:min(len(pairs), MaxSimilar)] {
			chosen[p] = true
		}
	}
	out := make([][2]string, 0, len(chosen))
	for p := range chosen {
		out = append(out, [2]string{c.groups[p[0]].Name, c.groups[p[1]].Name})
	}
	slices.SortFunc(out, comparePairs)
	return out
}

func comparePairs(a, b [2]string) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// typesAgree reports whether an entity may have both types: nobody is a place.
func typesAgree(a, b string) bool {
	if a == b || a == graph.TypeUnknown || b == graph.TypeUnknown {
		return true
	}
	return a != typePerson && b != typePerson || !slices.Contains(properTypes, a) || !slices.Contains(properTypes, b)
}

const typePerson = "person"

// areNamed reports whether entities of two types have proper names, a part of which can denote the
// same entity, as Watson does for John Watson. A word of a term does not denote the term.
func areNamed(a, b string) bool {
	if a == graph.TypeUnknown {
		a = b
	}
	return (a == b || b == graph.TypeUnknown) && (a == "event" || slices.Contains(properTypes, a))
}
