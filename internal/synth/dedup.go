package query

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/textproc"
)

// sayShare is the share of the longer text's terms that two texts hold in the
// same order when they say the same.
const sayShare = .8

// A saying is a text as it is compared with others. Two say the same when most
// of their terms follow each other alike, and names, numbers and negations are
// equal: "A sold to B" is not "B sold to A", 5 % is not 7 %.
type saying struct {
	terms []string
	exact string // names, numbers and negations, sorted
}

var (
	exactWord = regexp.MustCompile(`[\pL\pN]+(?:[.,'’\-][\pL\pN]+)*`)
	negations = regexp.MustCompile(`(?i)^(?:no|not|nor|none|never|neither|nobody|nothing|without|cannot|\pL+n['’]t|nicht|kein\pL*|nie|ohne|ne|pas|jamais|sans|nunca|sin)$`)
)

func say(text string) saying {
	text = marks.ReplaceAllString(text, "")
	s := saying{terms: textproc.Terms(text)}
	var exact []string
	opens := true
	for _, at := range exactWord.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		upper := strings.ToLower(w) != w
		// What opens a sentence is upper case for no reason of its own.
		if strings.ContainsAny(w, "0123456789") || negations.MatchString(w) || upper && !opens {
			exact = append(exact, strings.ToLower(w))
		}
		opens = strings.ContainsAny(text[at[1]:min(len(text), at[1]+1)], ".!?:")
	}
	slices.Sort(exact)
	s.exact = strings.Join(slices.Compact(exact), "\x1f")
	return s
}

// same reports that two texts say the same in nearly the same words.
func (s saying) same(o saying) bool {
	long, short := max(len(s.terms), len(o.terms)), min(len(s.terms), len(o.terms))
	if s.exact != o.exact || long == 0 || float64(short) < sayShare*float64(long) {
		return false
	}
	return float64(common(s.terms, o.terms)) >= sayShare*float64(long)
}

// common is the length of the longest sequence that two lists share, gaps allowed.
func common(a, b []string) int {
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

// joinPoints puts points in falling order of score, ties by text, and of those
// that say the same keeps the best, with the references of all.
func joinPoints(points []point) []point {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text, b.text)) })
	var kept []point
	said := map[string][]int{} // places in kept, by what has to be equal
	sayings := make([]saying, 0, len(points))
	for _, p := range points {
		s := say(p.text)
		at := slices.IndexFunc(said[s.exact], func(i int) bool { return sayings[i].same(s) })
		if at >= 0 {
			twin := &kept[said[s.exact][at]]
			twin.text = joinReferences(twin.text, p.text)
			continue
		}
		said[s.exact] = append(said[s.exact], len(kept))
		kept, sayings = append(kept, p), append(sayings, s)
	}
	return kept
}

// mostAtOnePlace is how many references stand at one place.
const mostAtOnePlace = 5

// endMarks are the references that a text ends in, and the mark of the sentence.
var endMarks = regexp.MustCompile(`[ \t]*((?:\[\d+\])*)([.!?…]*)\s*$`)

// joinReferences puts the references of another text at the end of a text, as
// far as it does not have them and there is room.
func joinReferences(text, other string) string {
	has := referenceNumber.FindAllString(text, -1)
	at := endMarks.FindStringSubmatchIndex(text)
	last := referenceNumber.FindAllString(text[at[2]:at[3]], -1)
	for _, mark := range referenceNumber.FindAllString(other, -1) {
		if len(last) < mostAtOnePlace && !slices.Contains(has, mark) {
			has, last = append(has, mark), append(last, mark)
		}
	}
	switch {
	case len(last) == 0:
		return text
	case at[2] == at[3]: // none stood there: they follow the sentence's own mark
		return strings.TrimRight(text, " \t\n") + " " + strings.Join(last, "")
	default:
		return text[:at[0]] + " " + strings.Join(last, "") + text[at[4]:at[5]]
	}
}

var marks = regexp.MustCompile(`[ \t]*(?:\[\d+\])+`)

// asData writes the numbers of a text, which stand for numbers[n-1], as a model
// is asked to write references.
func asData(text string, numbers []graph.Reference) string {
	return marks.ReplaceAllStringFunc(text, func(mark string) string {
		var kinds []string
		of := map[string][]string{}
		for _, m := range referenceNumber.FindAllStringSubmatch(mark, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > len(numbers) {
				continue
			}
			kind := recordWords[numbers[n-1].Kind]
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			of[kind] = append(of[kind], m[1])
		}
		if len(kinds) == 0 {
			return ""
		}
		for i, kind := range kinds {
			kinds[i] = kind + " (" + strings.Join(of[kind], ", ") + ")"
		}
		return " [Data: " + strings.Join(kinds, "; ") + "]"
	})
}

// recordWords are the words for kinds in references.
var recordWords = map[graph.Kind]string{
	graph.KindReport: "Reports", graph.KindChunk: "Sources", graph.KindEntity: "Entities",
	graph.KindRelationship: "Relationships", graph.KindClaim: "Claims",
}

// offeredOf are the numbers as references that a text may use.
func offeredOf(numbers []graph.Reference) map[report.Local]string {
	offered := make(map[report.Local]string, len(numbers))
	for _, ref := range numbers {
		offered[report.Local{Kind: ref.Kind, N: ref.N}] = ref.Key
	}
	return offered
}
