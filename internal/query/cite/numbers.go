package cite

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A citation in a stored text is [2], or [2.3] for the third sentence of the record [2].
var (
	number = regexp.MustCompile(`\[(\d{1,6})(?:\.(\d{1,4}))?\]`)
	// adjacentNumbers are citations without white space between them.
	adjacentNumbers = regexp.MustCompile(`[ \t]*(?:\[\d+(?:\.\d+)?\])+`)
)

// A mark is one citation of a stored text.
type mark struct {
	n        int // of the record
	sentence int // of the record, from 1; 0 for all of it
}

// marksIn returns the citations in a text, in order.
func marksIn(s string) []mark {
	var out []mark
	for _, m := range number.FindAllStringSubmatch(s, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		sentence, _ := strconv.Atoi(m[2]) // 0 without one
		out = append(out, mark{n, sentence})
	}
	return out
}

// numberGroups returns the places of the runs of citations in a text, each with the white
// space before and in it.
func numberGroups(s string) []textproc.Span {
	var out []textproc.Span
	for _, m := range number.FindAllStringIndex(s, -1) {
		start := len(strings.TrimRight(s[:m[0]], "\t\n\f\r "))
		if last := len(out) - 1; last >= 0 && start <= out[last].End {
			out[last].End = m[1]
		} else {
			out = append(out, textproc.Span{Start: start, End: m[1]})
		}
	}
	return out
}

// replaceGroups replaces each run of citations of a text, with the white space before it.
func replaceGroups(s string, replace func(group string) string) string {
	var b strings.Builder
	at := 0
	for _, g := range numberGroups(s) {
		b.WriteString(s[at:g.Start])
		b.WriteString(replace(s[g.Start:g.End]))
		at = g.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// Numbers returns the citations of a text, such as 2 or 2.3, sorted, each once.
func Numbers(s string) []string {
	var out []string
	for _, m := range number.FindAllString(s, -1) {
		out = append(out, strings.Trim(m, "[]"))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// StripSentences replaces citations of sentences by citations of their records: [2.3][2.4] by [2].
func StripSentences(s string) string {
	return adjacentNumbers.ReplaceAllStringFunc(s, func(group string) string {
		out := group[:strings.IndexByte(group, '[')]
		for _, m := range marksIn(group) {
			if one := "[" + strconv.Itoa(m.n) + "]"; !strings.Contains(out, one) {
				out += one
			}
		}
		return out
	})
}

// dropNumbers removes the citations of an answer at some places, counted from 0.
func dropNumbers(s string, places map[int]bool) string {
	place := -1
	return replaceGroups(s, func(group string) string {
		all := number.FindAllString(group, -1)
		var kept []string
		for _, m := range all {
			if place++; !places[place] {
				kept = append(kept, m)
			}
		}
		switch len(kept) {
		case len(all):
			return group
		case 0:
			return ""
		}
		return group[:strings.IndexByte(group, '[')] + strings.Join(kept, "")
	})
}

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
	for _, group := range numberGroups(source) {
		c := citedText{text: text.OneLine(source[at:group.Start])}
		for _, n := range marksIn(source[group.Start:group.End]) {
			c.numbers = append(c.numbers, n.n)
		}
		at = group.End
		if c.text = strings.TrimLeft(c.text, " .,;"); c.text != "" {
			out = append(out, c)
		}
	}
	if rest := strings.TrimLeft(text.OneLine(source[at:]), " .,;"); rest != "" {
		out = append(out, citedText{text: rest})
	}
	return out
}

// A ReportPart is a part of a report's text: what citations follow, or what none follow.
type ReportPart struct {
	N         int    // from 1, by which a model cites the part; 0 if nothing is cited in it
	Text      string // without citations
	Citations []int  // numbers of the report's references
}

// ReportParts splits the text of a report, line by line, behind its citations.
func ReportParts(content string) []ReportPart {
	var out []ReportPart
	n := 0
	for line := range strings.Lines(content) {
		for _, c := range splitCited(line) {
			part := ReportPart{Text: c.text, Citations: c.numbers}
			if len(c.numbers) > 0 {
				n++
				part.N = n
			}
			out = append(out, part)
		}
	}
	return out
}

// MaxPerPlace is the largest number of citations at one place of an answer.
const MaxPerPlace = 5

// MergeNumbers adds the citations of another text, which says nearly the same, to a text: each
// behind the piece of the text that shares most terms with the piece that it is behind. The
// citations of a piece that shares no term are dropped. At most MaxPerPlace are kept at one
// place, without duplicates.
func MergeNumbers(s, other string) string {
	pieces := piecesOf(s)
	for _, add := range piecesOf(other) {
		if at := nearestPiece(pieces, add.text); at >= 0 {
			pieces[at].add(add.marks)
		}
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.String())
	}
	return b.String()
}

// A piece is a part of a text with the citations that follow it, in the form [1][2.3].
type piece struct {
	text  string
	space string // before the citations
	marks []string
	end   string // the end mark of the sentence, if it follows the citations
}

// piecesOf splits a text behind its citations, and behind its sentences that have none.
func piecesOf(s string) []piece {
	var out []piece
	at := 0
	for _, m := range adjacentNumbers.FindAllStringIndex(s, -1) {
		group := s[m[0]:m[1]]
		end := m[1] + len(s[m[1]:]) - len(strings.TrimLeft(s[m[1]:], ".!?…"))
		spaces := group[:strings.IndexByte(group, '[')]
		out = append(out, piece{s[at:m[0]], spaces, number.FindAllString(group, -1), s[m[1]:end]})
		at = end
	}
	if strings.TrimSpace(s[at:]) != "" {
		out = append(out, piece{text: s[at:]})
	} else if len(out) > 0 {
		out[len(out)-1].end += s[at:]
	}
	return out
}

// nearestPiece returns the place of the piece that shares most terms with a text, -1 for none.
// For a text without terms it is the last.
func nearestPiece(pieces []piece, text string) int {
	terms := textproc.TermSetOf(text)
	if len(terms) == 0 {
		return len(pieces) - 1
	}
	best, at := 0, -1
	for i, p := range pieces {
		if n := textproc.TermSetOf(p.text).Shared(terms); n > best {
			best, at = n, i
		}
	}
	return at
}

// add adds citations that the piece does not have.
func (p *piece) add(marks []string) {
	for _, m := range marks {
		if len(p.marks) < MaxPerPlace && !slices.Contains(p.marks, m) {
			p.marks = append(p.marks, m)
		}
	}
	if p.space == "" && len(p.marks) > 0 {
		p.space = " "
	}
}

func (p *piece) String() string {
	if len(p.marks) == 0 {
		return p.text + p.end
	}
	if text := strings.TrimRight(p.text, " \t\n"); p.end == "" && text != p.text {
		return text + p.space + strings.Join(p.marks, "") + p.text[len(text):]
	}
	return p.text + p.space + strings.Join(p.marks, "") + p.end
}

// ToData replaces the citations of a text, where [n] is refs[n-1], by the form
// that prompts ask models for: [Data: Reports (1, 2); Sources (3.1)].
func ToData(s string, refs []graph.Reference) string {
	return adjacentNumbers.ReplaceAllStringFunc(s, func(group string) string {
		var kinds []string
		byKind := map[string][]string{}
		for _, m := range marksIn(group) {
			if m.n < 1 || m.n > len(refs) {
				continue
			}
			kind := dataWords[refs[m.n-1].Kind]
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			id := strconv.Itoa(m.n)
			if m.sentence > 0 {
				id += "." + strconv.Itoa(m.sentence)
			}
			byKind[kind] = append(byKind[kind], id)
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
