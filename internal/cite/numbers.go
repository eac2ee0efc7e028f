package cite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/text"
)

var (
	// numberGroup is a run of citations as stored texts hold them.
	numberGroup = regexp.MustCompile(`(?:\s*\[\d{1,6}\])+`)
	number      = regexp.MustCompile(`\[(\d{1,6})\]`)
	// adjacentNumbers are citations without white space between them.
	adjacentNumbers = regexp.MustCompile(`[ \t]*(?:\[\d+\])+`)
	// finalNumbers are the citations that a text ends in, and the end mark of its sentence.
	finalNumbers = regexp.MustCompile(`[ \t]*((?:\[\d+\])*)([.!?…]*)\s*$`)
)

// HasNumbers reports whether a text cites anything.
func HasNumbers(s string) bool { return adjacentNumbers.MatchString(s) }

// StripNumbers removes the citations of a text.
func StripNumbers(s string) string { return adjacentNumbers.ReplaceAllString(s, "") }

// citedText is a piece of a stored text and the numbers that follow it.
type citedText struct {
	text    string
	numbers []int
}

// splitCited splits a stored text at its citations. Text that no number follows
// comes last, without numbers.
func splitCited(source string) []citedText {
	var out []citedText
	at := 0
	for _, m := range numberGroup.FindAllStringIndex(source, -1) {
		c := citedText{text: text.OneLine(source[at:m[0]])}
		for _, n := range number.FindAllStringSubmatch(source[m[0]:m[1]], -1) {
			v, err := strconv.Atoi(n[1])
			if err == nil {
				c.numbers = append(c.numbers, v)
			}
		}
		at = m[1]
		if c.text = strings.TrimLeft(c.text, " .,;"); c.text != "" {
			out = append(out, c)
		}
	}
	if rest := strings.TrimLeft(text.OneLine(source[at:]), " .,;"); rest != "" {
		out = append(out, citedText{text: rest})
	}
	return out
}

// MaxPerPlace is the largest number of citations at one place of an answer.
const MaxPerPlace = 5

// MergeNumbers adds the citations of another text to the end of a text, without
// duplicates and up to MaxPerPlace at that place.
func MergeNumbers(s, other string) string {
	has := number.FindAllString(s, -1)
	at := finalNumbers.FindStringSubmatchIndex(s)
	final := number.FindAllString(s[at[2]:at[3]], -1)
	for _, n := range number.FindAllString(other, -1) {
		if len(final) < MaxPerPlace && !slices.Contains(has, n) {
			has, final = append(has, n), append(final, n)
		}
	}
	switch {
	case len(final) == 0:
		return s
	case at[2] == at[3]: // it had none: they follow the end mark of the sentence
		return strings.TrimRight(s, " \t\n") + " " + strings.Join(final, "")
	default:
		return s[:at[0]] + " " + strings.Join(final, "") + s[at[4]:at[5]]
	}
}

// ToData replaces the citations of a text, where [n] is refs[n-1], by the form
// that prompts ask models for: [Data: Reports (1, 2); Sources (3)].
func ToData(s string, refs []graph.Reference) string {
	return adjacentNumbers.ReplaceAllStringFunc(s, func(group string) string {
		var kinds []string
		byKind := map[string][]string{}
		for _, m := range number.FindAllStringSubmatch(group, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > len(refs) {
				continue
			}
			kind := dataWords[refs[n-1].Kind]
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			byKind[kind] = append(byKind[kind], m[1])
		}
		if len(kinds) == 0 {
			return ""
		}
		for i, kind := range kinds {
			kinds[i] = kind + " (" + strings.Join(byKind[kind], ", ") + ")"
		}
		return " [Data: " + strings.Join(kinds, "; ") + "]"
	})
}

// dataWords are the words for kinds in citations that models write.
var dataWords = map[graph.Kind]string{
	graph.KindReport: "Reports", graph.KindChunk: "Sources", graph.KindEntity: "Entities",
	graph.KindRelationship: "Relationships", graph.KindClaim: "Claims",
}

// KindWord returns the word for a kind in citations that models write, such as "Sources".
func KindWord(kind graph.Kind) string { return dataWords[kind] }

// Offered returns the citations that a model may write for refs.
func Offered(refs []graph.Reference) map[report.Local]string {
	offered := make(map[report.Local]string, len(refs))
	for _, ref := range refs {
		offered[report.Local{Kind: ref.Kind, N: ref.N}] = ref.Key
	}
	return offered
}

// openCitation is a citation of a model that a text ends in before it closes.
var openCitation = regexp.MustCompile(`[ \t]*\[(?:D|Da|Dat|Data[^\]]*)?$`)

// TrimOpen removes a citation that a model began at the end of a text and did not close.
func TrimOpen(s string) string { return openCitation.ReplaceAllString(s, "") }
