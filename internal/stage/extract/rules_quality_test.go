package extract

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A score counts found and matched records, ours and the gold's.
type score struct{ ours, oursMatched, gold, goldMatched int }

func (s score) precision() float64 { return float64(s.oursMatched) / float64(max(1, s.ours)) }
func (s score) recall() float64    { return float64(s.goldMatched) / float64(max(1, s.gold)) }
func (s score) f1() float64 {
	p, r := s.precision(), s.recall()
	return 2 * p * r / max(1e-9, p+r)
}

func (s *score) our(match bool) {
	s.ours++
	if match {
		s.oursMatched++
	}
}

func (s *score) golden(match bool) {
	s.gold++
	if match {
		s.goldMatched++
	}
}

type scores struct{ all, proper, concept, pairs, given, types score }

func keys[K comparable, V any](m map[K]V) []K {
	var out []K
	for k := range m {
		out = append(out, k)
	}
	return out
}

// add compares one unit.
func (s *scores) add(ours, gold sheet, lenient bool) {
	anyName := func(n string, of []string) bool {
		return slices.ContainsFunc(of, func(o string) bool { return sameName(n, o, lenient) })
	}
	ourNames, goldNames := keys(ours.types), keys(gold.types)
	for _, n := range ourNames {
		hit := anyName(n, goldNames)
		s.all.our(hit)
		if ours.proper[n] && (!strings.Contains(n, "'s ") || gold.proper[goldHead(n)]) {
			s.proper.our(hit)
		}
		if !ours.proper[n] || strings.Contains(n, "'s ") {
			s.concept.our(hit)
		}
	}
	for _, n := range goldNames {
		hit := anyName(n, ourNames)
		s.all.golden(hit)
		if gold.proper[n] {
			s.proper.golden(hit)
		} else {
			s.concept.golden(hit)
		}
		if kind, ok := ours.types[n]; ok {
			s.types.our(kind == gold.types[n])
		}
	}
	s.addPairs(ours, gold, lenient, anyName)
}

func (s *scores) addPairs(ours, gold sheet, lenient bool, anyName func(string, []string) bool) {
	anyPair := func(p namePair, of map[namePair]bool) bool {
		for q := range of {
			if samePair(p, q, lenient) {
				return true
			}
		}
		return false
	}
	ourNames, goldNames := keys(ours.types), keys(gold.types)
	for p := range ours.pairs {
		hit := anyPair(p, gold.pairs)
		s.pairs.our(hit)
		if anyName(p[0], goldNames) && anyName(p[1], goldNames) {
			s.given.our(hit)
		}
	}
	for p := range gold.pairs {
		hit := anyPair(p, ours.pairs)
		s.pairs.golden(hit)
		if anyName(p[0], ourNames) && anyName(p[1], ourNames) {
			s.given.golden(hit)
		}
	}
}

// measureGold compares the records of units lo to hi-1 with the expected ones.
func measureGold(units []goldUnit, out []graph.Extraction, properHeads map[string]bool, lo, hi int, lenient bool) scores {
	var s scores
	for i := lo; i < hi; i++ {
		s.add(ourSheet(out[i]), goldSheet(units[i], properHeads), lenient)
	}
	return s
}

func logScores(t *testing.T, label string, s scores) {
	t.Helper()
	for _, k := range []struct {
		name string
		score
	}{{"entities", s.all}, {"proper", s.proper}, {"concepts", s.concept}, {"all pairs", s.pairs}, {"pairs, ends found", s.given}} {
		t.Logf("%s %-18s precision %.3f recall %.3f F1 %.3f (%d ours, %d gold, %d missed)",
			label, k.name, k.precision(), k.recall(), k.f1(), k.ours, k.gold, k.gold-k.goldMatched)
	}
	t.Logf("%s types of exact matches %.3f (%d)", label, s.types.precision(), s.types.ours)
}

var longWord = regexp.MustCompile(`\w{4,}`)

func bag(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range longWord.FindAllString(strings.ToLower(text), -1) {
		words[w] = true
	}
	return words
}

func similar(a, b map[string]bool) bool {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) >= .6*float64(max(1, min(len(a), len(b))))
}

// measureClaims compares claims by the words of their sources.
func measureClaims(units []goldUnit, out []graph.Extraction) (s score) {
	for i, u := range units {
		var gold, ours []map[string]bool
		for _, c := range u.Claims {
			gold = append(gold, bag(c.SourceText))
		}
		for _, c := range out[i].Claims {
			ours = append(ours, bag(c.SourceText))
		}
		for _, g := range gold {
			s.golden(slices.ContainsFunc(ours, func(o map[string]bool) bool { return similar(o, g) }))
		}
		for _, o := range ours {
			s.our(slices.ContainsFunc(gold, func(g map[string]bool) bool { return similar(o, g) }))
		}
	}
	return s
}

// ablatedEnv names listed words which a run of TestRulesQuality has to do without.
const ablatedEnv = "NEORAG_ABLATED"

// A bar is the lowest allowed value of a figure, with all listed words and without those
// that the sample alone justifies.
type bar struct {
	name           string
	got            float64
	least, ablated float64
}

// TestRulesQuality compares the records of the rules with a model's. The text is a
// development set: the rules were tuned on it, so that another text gets less. A bar says
// that quality has not dropped, not that it is good.
func TestRulesQuality(t *testing.T) {
	ablated := strings.Fields(os.Getenv(ablatedEnv))
	for _, w := range ablated {
		if textproc.ClassOf(w) != 0 {
			t.Fatalf("%q is still listed", w)
		}
	}
	units := goldUnits(t)
	heads := goldProperHeads(t, units)
	text, chunks := unitDocument(units)
	out, err := Rules{}.Document(t.Context(), text, chunks)
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range [][2]int{{0, 21}, {21, 42}} {
		label := "development units " + strconv.Itoa(half[0]) + "-" + strconv.Itoa(half[1]-1)
		logScores(t, label+" exact  ", measureGold(units, out, heads, half[0], half[1], false))
		logScores(t, label+" lenient", measureGold(units, out, heads, half[0], half[1], true))
	}
	exact, lenient := measureGold(units, out, heads, 0, len(units), false), measureGold(units, out, heads, 0, len(units), true)
	claims := measureClaims(units, out)
	logScores(t, "development exact  ", exact)
	logScores(t, "development lenient", lenient)
	t.Logf("development claims: %d ours, %d gold, %d missed, %.3f found, %.3f of ours in gold",
		claims.ours, claims.gold, claims.gold-claims.goldMatched, claims.recall(), claims.precision())
	for _, b := range []bar{
		{"lenient F1 of proper names", lenient.proper.f1(), .83, .80},
		{"exact F1 of proper names", exact.proper.f1(), .59, .57},
		{"lenient F1 of entities", lenient.all.f1(), .56, .54},
		{"exact F1 of entities", exact.all.f1(), .36, .34},
		{"lenient F1 of all pairs", lenient.pairs.f1(), .29, .27},
		{"exact F1 of all pairs", exact.pairs.f1(), .10, .09},
		{"lenient F1 of pairs with both ends found", lenient.given.f1(), .60, .58},
		{"exact F1 of pairs with both ends found", exact.given.f1(), .51, .49},
		{"types of exact matches", exact.types.precision(), .85, .80},
		{"claims found", claims.recall(), .30, .28},
	} {
		least := b.least
		if len(ablated) > 0 {
			least = b.ablated
		}
		t.Logf("figure: %s %.3f", b.name, b.got)
		if b.got < least {
			t.Errorf("%s is %.3f, want at least %.2f", b.name, b.got, least)
		}
	}
}
