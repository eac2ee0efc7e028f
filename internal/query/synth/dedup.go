package synth

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// minSameShare is the share of the longer text's terms that two near-duplicates
	// have in common, in the same order.
	minSameShare = .8
	// minSameTerms is that share, in any order, for texts of the same citations.
	minSameTerms = .7
	// minSameCitations is the share of all citations of two texts that both have.
	minSameCitations = .5
)

// A normalizedText is a text in the form in which it is compared with others.
// Two texts are near-duplicates if most of their terms follow each other in the
// same order, and names, numbers and negations are equal: "A sold to B" is not
// "B sold to A", 5 % is not 7 %. If they cite the same, the order of their names, numbers and
// negations is enough.
type normalizedText struct {
	terms     []string
	set       textproc.TermSet
	exact     []string // names, numbers and negations, sorted
	words     []string // in lower case
	citations []string // sorted
}

var (
	exactWord = regexp.MustCompile(`[\pL\pN]+(?:[.,'’\-][\pL\pN]+)*`)
	negation  = regexp.MustCompile(`(?i)^(?:no|not|nor|none|never|neither|nobody|nothing|without|cannot|\pL+n['’]t|nicht|kein\pL*|nie|ohne|ne|pas|jamais|sans|nunca|sin)$`)
)

func normalize(text string) normalizedText {
	n := normalizedText{citations: cite.Numbers(text), set: textproc.TermSet{}}
	text = cite.StripNumbers(text)
	n.terms = textproc.Terms(text)
	n.set.Add(n.terms...)
	opens := true
	for _, at := range exactWord.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		capital := strings.ToLower(w) != w && !opens // the first word of a sentence always has a capital
		if strings.ContainsAny(w, "0123456789") || negation.MatchString(w) || capital {
			n.exact = append(n.exact, strings.ToLower(w))
		}
		n.words = append(n.words, strings.ToLower(w))
		opens = strings.ContainsAny(text[at[1]:min(len(text), at[1]+1)], ".!?:")
	}
	slices.Sort(n.exact)
	n.exact = slices.Compact(n.exact)
	return n
}

// nearDuplicate reports whether two texts say the same in nearly the same words.
func (n normalizedText) nearDuplicate(o normalizedText) bool {
	long, short := max(len(n.terms), len(o.terms)), min(len(n.terms), len(o.terms))
	if long == 0 {
		return false
	}
	if slices.Equal(n.exact, o.exact) && float64(short) >= minSameShare*float64(long) &&
		float64(text.CommonLength(n.terms, o.terms)) >= minSameShare*float64(long) {
		return true
	}
	return float64(n.set.Shared(o.set)) >= minSameTerms*float64(max(len(n.set), len(o.set))) && n.citesSame(o) && n.sameOrder(o)
}

// citesSame reports whether two texts share most of their citations.
func (n normalizedText) citesSame(o normalizedText) bool {
	shared := 0
	for _, c := range n.citations {
		if _, ok := slices.BinarySearch(o.citations, c); ok {
			shared++
		}
	}
	return shared > 0 && float64(shared) >= minSameCitations*float64(len(n.citations)+len(o.citations)-shared)
}

// sameOrder reports whether two texts have the same names, numbers and negations, and begin
// to name them in the same order.
func (n normalizedText) sameOrder(o normalizedText) bool {
	exact := slices.Concat(n.exact, o.exact)
	inOrder := func(t normalizedText) []string {
		var out []string
		for _, w := range t.words {
			if slices.Contains(exact, w) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
		return out
	}
	return slices.Equal(inOrder(n), inOrder(o))
}

// dedupPoints sorts points by falling score, ties by text. Of near-duplicates it
// keeps the best, with the citations of all.
func dedupPoints(points []point) []point {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text, b.text)) })
	var kept []point
	texts := make([]normalizedText, 0, len(points)) // of those kept
	for _, p := range points {
		n := normalize(p.text)
		if at := slices.IndexFunc(texts, n.nearDuplicate); at >= 0 {
			kept[at].text = cite.MergeNumbers(kept[at].text, p.text)
			continue
		}
		kept, texts = append(kept, p), append(texts, n)
	}
	return kept
}
