package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// maxMarkTargets is the maximum number of references at one place.
const maxMarkTargets = 5

// A target is the node that a reference points to.
type target struct {
	Kind graph.Kind
	Key  string
}

// Numbers assigns the sequence [1], [2], ... of references in stored texts, in order
// of first use over all kinds. The zero value is ready to use.
type Numbers struct {
	list []graph.Reference
	of   map[target]int
}

// Of returns the number of a node, the next one if the node is new.
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

// List returns the references in the order of their numbers.
func (n *Numbers) List() []graph.Reference { return slices.Clone(n.list) }

// dataNames are the names of record kinds in prompts and answers: the name that
// contexts use, and all forms that are accepted from a model.
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

// Marks as models write them. A mark contains no brackets, so that the inner one of
// two nested marks is read first.
var (
	// dataMark is [Data: Entities (5, 7); Claims (2, +more)], also without "Data:".
	dataMark = regexp.MustCompile(`(?i)[ \t]*\[\s*(?:\^?\s*data\s*:([^\[\]]*)|((?:` + dataForms + `)\s*:?\s*\([^()\[\]]*\)[^\[\]]*))\]`)
	// bareMark is [3] or [1, 2], which models are not asked to write.
	bareMark  = regexp.MustCompile(`[ \t]*\[[\s\d,;]*\d[\s\d,;]*\]`)
	dataGroup = regexp.MustCompile(`(?i)(\pL+)\s*:?\s*\(([^()]*)\)`)
	digits    = regexp.MustCompile(`\d+`)
	// storedMark is a run of marks such as [1][2] in a stored text.
	storedMark = regexp.MustCompile(`[ \t]*(?:\[\d+\])+`)
	// placeholder replaces a mark in the text that was read but has no number yet.
	placeholder = regexp.MustCompile(`\x{E000}(\d+)\x{E001}`)
)

const dataForms = `reports?|entit(?:y|ies)|relationships?|claims?|sources?|chunks?`

// CheckReferences parses the references of a model, such as [Data: Entities (5, 7);
// Relationships (23); Claims (2, 34, +more)], and replaces the references that the
// context offers by [1][2]. The numbers are assigned by numbers, which all texts of one
// report share. References that the context did not offer are removed and counted. So are
// bare numbers in brackets, which would be mistaken for stored references. At most five
// references are kept at one place.
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
	text = placeholder.ReplaceAllStringFunc(text, func(m string) string {
		at, _ := strconv.Atoi(digits.FindString(m))
		return numbers.marks(held[at])
	})
	return strings.TrimSpace(text), removed
}

// readMark returns the targets of a mark, without duplicates, and counts the numbers
// that point to nothing. A mark without a readable number counts as one.
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
			if t := (target{kind, key}); !slices.Contains(found, t) && len(found) < maxMarkTargets {
				found = append(found, t)
			}
		}
	}
	if ids == 0 {
		bad = 1
	}
	return found, bad
}

// marks formats targets as [1][2].
func (n *Numbers) marks(targets []target) string {
	var b strings.Builder
	for _, t := range targets {
		b.WriteString("[" + strconv.Itoa(n.Of(t.Kind, t.Key)) + "]")
	}
	return b.String()
}

// dataKind returns the kind for a name in a mark, or "" if the name is unknown.
func dataKind(name string) graph.Kind {
	name = strings.ToLower(name)
	for _, d := range dataNames {
		if slices.Contains(d.forms, name) {
			return d.kind
		}
	}
	return ""
}

// Plain removes from a text everything that would read as a reference.
func Plain(text string) string {
	for strings.ContainsRune(text, '[') {
		next := dataMark.ReplaceAllString(bareMark.ReplaceAllString(text, ""), "")
		if next == text {
			break
		}
		text = next
	}
	return text
}

// countMarks returns the number of places in a stored text that have references.
func countMarks(text string) int { return len(storedMark.FindAllStringIndex(text, -1)) }

// translate returns the report of a child for a context, with its references
// renumbered. A reference to a report further down becomes own, the number of the
// child's report.
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

// targetsOf returns the targets of a mark in a stored report, at most five. Numbers
// that the report does not know are skipped.
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
		if t := (target{r.References[at].Kind, r.References[at].Key}); len(out) < maxMarkTargets && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
