package synth

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/textproc"
)

// minSameShare is the share of the longer text's terms that two near-duplicates
// have in common, in the same order.
const minSameShare = .8

// A normalizedText is a text in the form in which it is compared with others.
// Two texts are near-duplicates if most of their terms follow each other in the
// same order, and names, numbers and negations are equal: "A sold to B" is not
// "B sold to A", 5 % is not 7 %.
type normalizedText struct {
	terms []string
	exact string // names, numbers and negations, sorted
}

var (
	exactWord = regexp.MustCompile(`[\pL\pN]+(?:[.,'’\-][\pL\pN]+)*`)
	negation  = regexp.MustCompile(`(?i)^(?:no|not|nor|none|never|neither|nobody|nothing|without|cannot|\pL+n['’]t|nicht|kein\pL*|nie|ohne|ne|pas|jamais|sans|nunca|sin)$`)
)

func normalize(text string) normalizedText {
	text = cite.StripNumbers(text)
	n := normalizedText{terms: textproc.Terms(text)}
	var exact []string
	opens := true
	for _, at := range exactWord.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		capital := strings.ToLower(w) != w && !opens // the first word of a sentence always has a capital
		if strings.ContainsAny(w, "0123456789") || negation.MatchString(w) || capital {
			exact = append(exact, strings.ToLower(w))
		}
		opens = strings.ContainsAny(text[at[1]:min(len(text), at[1]+1)], ".!?:")
	}
	slices.Sort(exact)
	n.exact = strings.Join(slices.Compact(exact), "\x1f")
	return n
}

// nearDuplicate reports whether two texts say the same in nearly the same words.
func (n normalizedText) nearDuplicate(o normalizedText) bool {
	long, short := max(len(n.terms), len(o.terms)), min(len(n.terms), len(o.terms))
	if n.exact != o.exact || long == 0 || float64(short) < minSameShare*float64(long) {
		return false
	}
	return float64(longestCommonSubsequence(n.terms, o.terms)) >= minSameShare*float64(long)
}

// longestCommonSubsequence is its length.
func longestCommonSubsequence(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// dedupPoints sorts points by falling score, ties by text. Of near-duplicates it
// keeps the best, with the citations of all.
func dedupPoints(points []point) []point {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text, b.text)) })
	var kept []point
	texts := make([]normalizedText, 0, len(points)) // of those kept
	byExact := map[string][]int{}                   // places in kept
	for _, p := range points {
		n := normalize(p.text)
		at := slices.IndexFunc(byExact[n.exact], func(i int) bool { return texts[i].nearDuplicate(n) })
		if at >= 0 {
			twin := &kept[byExact[n.exact][at]]
			twin.text = cite.MergeNumbers(twin.text, p.text)
			continue
		}
		byExact[n.exact] = append(byExact[n.exact], len(kept))
		kept, texts = append(kept, p), append(texts, n)
	}
	return kept
}
