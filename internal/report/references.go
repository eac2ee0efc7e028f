package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// maxIDs is the largest number of references at one place.
const maxIDs = 5

// target is what a reference points at.
type target struct {
	Kind graph.Kind
	Key  string
}

// Numbers hands out the one sequence [1], [2], ... that stored texts carry, in
// order of first use over all kinds. The zero value is ready to use.
type Numbers struct {
	list []graph.Reference
	of   map[target]int
}

// Of is the number of a node, the next one when it is new.
func (n *Numbers) Of(kind graph.Kind, key string) int {
	t := target{kind, key}
	if at, ok := n.of[t]; ok {
		return at
	}
	if n.of == nil {
		n.of = map[target]int{}
	}
	at := len(n.list) + 1
	n.of[t] = at
	n.list = append(n.list, graph.Reference{N: at, Kind: kind, Key: key})
	return at
}

// List is what the numbers stand for, in order.
func (n *Numbers) List() []graph.Reference { return slices.Clone(n.list) }

// dataNames are the names of record kinds in prompts and answers, the first form as written by us.
var dataNames = []struct {
	kind  graph.Kind
	name  string
	forms []string
}{
	{graph.KindReport, "Reports", []string{"reports", "report"}},
	{graph.KindEntity, "Entities", []string{"entities", "entity"}},
	{graph.KindRelationship, "Relationships", []string{"relationships", "relationship"}},
	{graph.KindClaim, "Claims", []string{"claims", "claim"}},
	{graph.KindChunk, "Sources", []string{"sources", "source", "chunks", "chunk"}},
}

// Marks as models write them. Inside a mark stands no bracket, so that the
// inner one of two is read first.
var (
	// dataMark is [Data: Entities (5, 7); Claims (2, +more)], or the same without the first word.
	dataMark = regexp.MustCompile(`(?i)[ \t]*\[\s*(?:\^?\s*data\s*:([^\[\]]*)|((?:` + dataForms + `)\s*:?\s*\([^()\[\]]*\)[^\[\]]*))\]`)
	// bareMark is [3] or [1, 2], which no context offers.
	bareMark  = regexp.MustCompile(`[ \t]*\[[\s\d,;]*\d[\s\d,;]*\]`)
	dataGroup = regexp.MustCompile(`(?i)(\pL+)\s*:?\s*\(([^()]*)\)`)
	digits    = regexp.MustCompile(`\d+`)
	// storedMark is a run of [1][2] in a stored text.
	storedMark = regexp.MustCompile(`[ \t]*(?:\[\d+\])+`)
	// heldMark is a mark that was read and waits for its number.
	heldMark = regexp.MustCompile(`\x{E000}(\d+)\x{E001}`)
)

const dataForms = `reports?|entit(?:y|ies)|relationships?|claims?|sources?|chunks?`

// CheckReferences reads a model's references, such as
// [Data: Entities (5, 7); Relationships (23); Claims (2, 34, +more)], and
// writes those that the context offers as [1][2] in the sequence of numbers;
// the texts of one report share theirs. What the context did not offer is
// removed and counted, bare numbers in brackets too: they would be taken for
// ours. At most five references stay at one place.
func CheckReferences(text string, offered map[Local]string, numbers *Numbers) (checked string, removed int) {
	var held [][]target
	text = strings.NewReplacer("\uE000", "", "\uE001", "").Replace(text)
	for {
		next := bareMark.ReplaceAllStringFunc(text, func(m string) string {
			removed += len(digits.FindAllString(m, -1))
			return ""
		})
		next = dataMark.ReplaceAllStringFunc(next, func(m string) string {
			found, bad := readMark(m, offered)
			removed += bad
			if len(found) == 0 {
				return ""
			}
			held = append(held, found)
			return fmt.Sprintf(" \uE000%d\uE001", len(held)-1)
		})
		if next == text {
			break
		}
		text = next
	}
	text = heldMark.ReplaceAllStringFunc(text, func(m string) string {
		at, _ := strconv.Atoi(digits.FindString(m))
		return numbers.marks(held[at])
	})
	return strings.TrimSpace(text), removed
}

// readMark finds what a mark points at, each target once, and counts the
// numbers that point at nothing. A mark without a readable number counts as one.
func readMark(mark string, offered map[Local]string) (found []target, bad int) {
	groups := dataGroup.FindAllStringSubmatch(mark, -1)
	if len(groups) == 0 {
		return nil, max(1, len(digits.FindAllString(mark, -1)))
	}
	ids := 0
	for _, g := range groups {
		for _, id := range digits.FindAllString(g[2], -1) {
			ids++
			n, err := strconv.Atoi(id)
			kind := dataKind(g[1])
			key, ok := offered[Local{kind, n}]
			if err != nil || !ok {
				bad++
				continue
			}
			if t := (target{kind, key}); !slices.Contains(found, t) && len(found) < maxIDs {
				found = append(found, t)
			}
		}
	}
	if ids == 0 {
		bad = 1
	}
	return found, bad
}

// marks writes targets as [1][2].
func (n *Numbers) marks(targets []target) string {
	var b strings.Builder
	for _, t := range targets {
		b.WriteString("[" + strconv.Itoa(n.Of(t.Kind, t.Key)) + "]")
	}
	return b.String()
}

// dataKind is the kind that a name in a mark means; "" means none.
func dataKind(name string) graph.Kind {
	name = strings.ToLower(name)
	for _, d := range dataNames {
		if slices.Contains(d.forms, name) {
			return d.kind
		}
	}
	return ""
}

// withoutMarks takes out of a source's text all that would read as a reference.
func withoutMarks(text string) string {
	for strings.ContainsRune(text, '[') {
		next := dataMark.ReplaceAllString(bareMark.ReplaceAllString(text, ""), "")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// citations is the number of places in a stored text that carry references.
func citations(text string) int { return len(storedMark.FindAllStringIndex(text, -1)) }

// translate writes the report of a child for a context: its references become
// numbers of the context, one to a report further down becomes own, the child's.
func (n *numbering) translate(r graph.Report, own int) string {
	return storedMark.ReplaceAllStringFunc(r.FullContent, func(mark string) string {
		ids := map[string][]string{}
		for _, t := range targetsOf(mark, r) {
			at := own
			if t.Kind != graph.KindReport {
				at = n.number(t)
			}
			if id := strconv.Itoa(at); !slices.Contains(ids[string(t.Kind)], id) {
				ids[string(t.Kind)] = append(ids[string(t.Kind)], id)
			}
		}
		var groups []string
		for _, d := range dataNames {
			if of := ids[string(d.kind)]; len(of) > 0 {
				groups = append(groups, d.name+" ("+strings.Join(of, ", ")+")")
			}
		}
		if len(groups) == 0 {
			return ""
		}
		return " [Data: " + strings.Join(groups, "; ") + "]"
	})
}

// targetsOf is what a mark of a stored report points at: at most five, and no
// number that the report does not know.
func targetsOf(mark string, r graph.Report) []target {
	var out []target
	for _, id := range digits.FindAllString(mark, -1) {
		n, err := strconv.Atoi(id)
		if err != nil {
			continue
		}
		at := slices.IndexFunc(r.References, func(ref graph.Reference) bool { return ref.N == n })
		if at < 0 {
			continue
		}
		if t := (target{r.References[at].Kind, r.References[at].Key}); len(out) < maxIDs && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
