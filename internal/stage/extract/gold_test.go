package extract

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/text/textproc"
)

// What counts as a name of the gold, and when two names are one, is defined in this file
// and its data, apart from the code that is measured. A change of that code can move our
// records, but not the gold.

// A goldUnit is one unit of A Christmas Carol with the records that a model extracted,
// taken as they are.
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

// sameName compares two names in normal form. The lenient comparison takes two names as
// one if the last word of either occurs in the other.
func sameName(a, b string, lenient bool) bool {
	if a == b || !lenient {
		return a == b
	}
	return slices.Contains(headWords(b), goldSingular(goldHead(a))) || slices.Contains(headWords(a), goldSingular(goldHead(b)))
}

func headWords(n string) []string {
	words := strings.Fields(goldOwns.ReplaceAllString(n, "$1"))
	for i, w := range words {
		words[i] = goldSingular(w)
	}
	return words
}

func samePair(p, q namePair, lenient bool) bool {
	return sameName(p[0], q[0], lenient) && sameName(p[1], q[1], lenient) || sameName(p[0], q[1], lenient) && sameName(p[1], q[0], lenient)
}

// goldSheet returns the expected records of a unit. A name is proper if its head is.
func goldSheet(u goldUnit, properHeads map[string]bool) sheet {
	s := sheet{map[string]string{}, map[string]bool{}, map[namePair]bool{}}
	name := func(n string) string {
		n = goldForm(n)
		if n != "" && properHeads[goldHead(n)] {
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
		n := goldForm(e.Name)
		s.types[n] = e.Type
		s.proper[n] = e.Name != strings.ToLower(e.Name)
	}
	for _, r := range x.Relationships {
		s.pairs[makePair(goldForm(r.Source), goldForm(r.Target))] = true
	}
	return s
}

// goldDropped are the articles and titles that a name of the gold may begin with.
var goldDropped = wordSet(`a an another any each every her his its my no our some that the their these this those
	your adm admiral ambassador brig capt captain chancellor col colonel comrade cpl detective doctor dr gen general
	gov governor herr inspector king lieutenant lord lt maj major marshal master minister monsieur mr ms pfc premier
	president prime prof professor rep rev secretary sen senator sgt sheriff sir uncle`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// goldForm returns a name for comparison: lower case, without punctuation, articles and
// titles.
func goldForm(name string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_' || r == '\'' || r == '-':
			return r
		}
		return ' '
	}, strings.ToLower(name)))
	for len(words) > 1 && goldDropped[words[0]] {
		words = words[1:]
	}
	return strings.Join(slices.Compact(words), " ")
}

// goldSingular returns the singular of a noun in lower case, derived from its ending.
func goldSingular(w string) string {
	switch {
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && len(w) > 3 && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

const goldHeadsHeader = "# Last words of the gold's names that are proper names. NEORAG_UPDATE=gold go test -run TestGoldIsFrozen ./internal/stage/extract writes this file.\n"

// goldProperHeads reads the heads of proper names. NEORAG_UPDATE=gold writes them again:
// those that the text mostly writes with a capital inside sentences. This moves the
// measure: figures from before and after cannot be compared.
func goldProperHeads(t *testing.T, units []goldUnit) map[string]bool {
	t.Helper()
	path := filepath.Join("testdata", "gold_proper_heads.txt")
	if os.Getenv("NEORAG_UPDATE") == "gold" {
		if err := os.WriteFile(path, []byte(goldHeadsHeader+capitalizedHeads(units)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := strings.Cut(string(b), "\n")
	return wordSet(words)
}

func capitalizedHeads(units []goldUnit) string {
	text, _ := unitDocument(units)
	proper := map[string]bool{}
	for _, s := range textproc.Analyze(text).Sentences {
		for _, tok := range s.Tokens {
			proper[tok.Lower] = tok.Base.Capitalized > tok.Base.Lowercase
		}
	}
	var heads []string
	for _, u := range units {
		for n := range goldSheet(u, proper).proper {
			heads = append(heads, goldHead(n))
		}
	}
	slices.Sort(heads)
	return strings.Join(slices.Compact(heads), "\n") + "\n"
}

// TestGoldIsFrozen fails when the gold that our records are compared with changes.
func TestGoldIsFrozen(t *testing.T) {
	units := goldUnits(t)
	heads := goldProperHeads(t, units)
	hash := sha256.New()
	names, proper, pairs := 0, 0, 0
	for i, u := range units {
		s := goldSheet(u, heads)
		names, proper, pairs = names+len(s.types), proper+len(s.proper), pairs+len(s.pairs)
		var lines []string
		for n, kind := range s.types {
			lines = append(lines, fmt.Sprintf("%d name %s %s %t", i, n, kind, s.proper[n]))
			for other := range s.types {
				if n < other && sameName(n, other, true) {
					lines = append(lines, fmt.Sprintf("%d same %s, %s", i, n, other))
				}
			}
		}
		for p := range s.pairs {
			lines = append(lines, fmt.Sprintf("%d pair %s, %s", i, p[0], p[1]))
		}
		slices.Sort(lines)
		_, _ = fmt.Fprintln(hash, strings.Join(lines, "\n")) // a hash takes everything
	}
	t.Logf("%d names, %d of them proper, %d pairs", names, proper, pairs)
	const want = "149071eb1798a650"
	if got := hex.EncodeToString(hash.Sum(nil))[:16]; got != want {
		t.Errorf("the gold is %s, want %s: figures measured with another gold cannot be compared", got, want)
	}
}
