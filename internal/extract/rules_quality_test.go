package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testcorpora"
	"github.com/neorag/neorag/internal/textproc"
)

// A goldUnit is one unit of A Christmas Carol with the records that a model extracted
// and a person checked.
type goldUnit struct {
	Text     string `json:"text"`
	Entities []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"entities"`
	Relationships []struct {
		Source string `json:"source"`
		Target string `json:"target"`
	} `json:"relationships"`
	Claims []struct {
		SourceText string `json:"source_text"`
	} `json:"claims"`
}

func goldUnits(tb testing.TB) []goldUnit {
	tb.Helper()
	f, err := os.Open(testcorpora.Dir(tb) + "/christmas-carol/recorded-extraction.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var units []goldUnit
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var u goldUnit
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			tb.Fatal(err)
		}
		units = append(units, u)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return units
}

// unitDocument joins all units into one text and returns a chunk for each.
func unitDocument(units []goldUnit) (string, []graph.Chunk) {
	var text strings.Builder
	var chunks []graph.Chunk
	for i, u := range units {
		start := text.Len()
		text.WriteString(u.Text)
		chunks = append(chunks, graph.Chunk{Key: strconv.Itoa(i), Text: u.Text, Index: i, Start: start, End: text.Len()})
		text.WriteString("\n\n")
	}
	return text.String(), chunks
}

type namePair [2]string

func makePair(a, b string) namePair { return namePair{min(a, b), max(a, b)} }

// A sheet is one unit's entities and pairs, by normalised name.
type sheet struct {
	types  map[string]string
	proper map[string]bool
	pairs  map[namePair]bool
}

var (
	goldOwner = regexp.MustCompile(`^(?:\S+ )*?\S+'s `)
	goldOwns  = regexp.MustCompile(`\S+'s (\S)`)
	goldOf    = regexp.MustCompile(` (?:of|in|at|with|for|from|to) `)
)

func goldHead(n string) string {
	if m := goldOwner.FindString(n); len(m) < len(n) {
		n = n[len(m):]
	}
	words := strings.Fields(goldOf.Split(n, 2)[0])
	if len(words) == 0 {
		return n
	}
	return words[len(words)-1]
}

func sameName(a, b string, lenient bool) bool {
	if a == b || !lenient {
		return a == b
	}
	return slices.Contains(headWords(b), textproc.Singular(goldHead(a))) || slices.Contains(headWords(a), textproc.Singular(goldHead(b)))
}

func headWords(n string) []string {
	words := strings.Fields(goldOwns.ReplaceAllString(n, "$1"))
	for i, w := range words {
		words[i] = textproc.Singular(w)
	}
	return words
}

func samePair(p, q namePair, lenient bool) bool {
	return sameName(p[0], q[0], lenient) && sameName(p[1], q[1], lenient) || sameName(p[0], q[1], lenient) && sameName(p[1], q[0], lenient)
}

// goldSheet returns the expected records of a unit. A name is proper if the text
// mostly writes its head with a capital inside sentences.
func goldSheet(u goldUnit, words map[string]*textproc.Word) sheet {
	s := sheet{map[string]string{}, map[string]bool{}, map[namePair]bool{}}
	name := func(n string) string {
		n = normalForm(n)
		if w := words[goldHead(n)]; n != "" && w != nil && w.Capitalized > w.Lowercase {
			s.proper[n] = true
		}
		return n
	}
	for _, e := range u.Entities {
		kind := strings.ToLower(e.Type)
		if kind == "geo" {
			kind = "location"
		}
		s.types[name(e.Name)] = kind
	}
	for _, r := range u.Relationships {
		if a, b := name(r.Source), name(r.Target); a != b {
			s.pairs[makePair(a, b)] = true
		}
	}
	return s
}

func ourSheet(x graph.Extraction) sheet {
	s := sheet{map[string]string{}, map[string]bool{}, map[namePair]bool{}}
	for _, e := range x.Entities {
		n := normalForm(e.Name)
		s.types[n] = e.Type
		s.proper[n] = e.Name != strings.ToLower(e.Name)
	}
	for _, r := range x.Relationships {
		s.pairs[makePair(normalForm(r.Source), normalForm(r.Target))] = true
	}
	return s
}

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
func measureGold(units []goldUnit, out []graph.Extraction, words map[string]*textproc.Word, lo, hi int, lenient bool) scores {
	var s scores
	for i := lo; i < hi; i++ {
		s.add(ourSheet(out[i]), goldSheet(units[i], words), lenient)
	}
	return s
}

func logScores(t *testing.T, label string, s scores) {
	t.Helper()
	for _, k := range []struct {
		name string
		score
	}{{"entities", s.all}, {"proper", s.proper}, {"concepts", s.concept}, {"pairs", s.pairs}, {"pairs, ends found", s.given}} {
		t.Logf("%s %-18s precision %.3f recall %.3f F1 %.3f (%d ours, %d gold)", label, k.name, k.precision(), k.recall(), k.f1(), k.ours, k.gold)
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

func TestRulesQuality(t *testing.T) {
	units := goldUnits(t)
	text, chunks := unitDocument(units)
	out, err := Rules{}.Document(t.Context(), text, chunks)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]*textproc.Word{}
	for _, s := range textproc.Analyze(text).Sentences {
		for _, tok := range s.Tokens {
			words[tok.Lower] = tok.Base
		}
	}
	for _, half := range [][2]int{{0, 21}, {21, 42}} {
		label := "units " + strconv.Itoa(half[0]) + "-" + strconv.Itoa(half[1]-1)
		logScores(t, label+" exact  ", measureGold(units, out, words, half[0], half[1], false))
		logScores(t, label+" lenient", measureGold(units, out, words, half[0], half[1], true))
	}
	exact, lenient := measureGold(units, out, words, 0, len(units), false), measureGold(units, out, words, 0, len(units), true)
	logScores(t, "all exact  ", exact)
	logScores(t, "all lenient", lenient)
	claims := measureClaims(units, out)
	t.Logf("claims: %d ours, %d gold, %.3f found, %.3f of ours in gold", claims.ours, claims.gold, claims.recall(), claims.precision())
	for _, bar := range []struct {
		name       string
		got, least float64
	}{
		{"F1 of proper names", lenient.proper.f1(), .80},
		{"F1 of entities", lenient.all.f1(), .54},
		{"F1 of pairs", lenient.pairs.f1(), .26},
		{"F1 of pairs with both ends found", lenient.given.f1(), .55},
		{"types of exact matches", exact.types.precision(), .80},
		{"claims found", claims.recall(), .28},
	} {
		if bar.got < bar.least {
			t.Errorf("%s is %.3f, want at least %.2f", bar.name, bar.got, bar.least)
		}
	}
}
