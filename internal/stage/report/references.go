package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// maxMarkTargets is the maximum number of references of each kind at one place.
const maxMarkTargets = 5

// A target is the node that a reference points to, and which sentence of it.
type target struct {
	Kind     graph.Kind
	Key      string
	sentence int // from 1; 0 is the whole node
}

// Numbers assigns the sequence [1], [2], ... of references in stored texts, in order
// of first use over all kinds. The zero value is ready to use.
type Numbers struct {
	list []graph.Reference
	of   map[target]int
}

// Of returns the number of a node, the next one if the node is new.
func (n *Numbers) Of(kind graph.Kind, key string) int {
	t := target{Kind: kind, Key: key}
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

// dataNames are the names of the kinds of records in contexts, in their order in marks.
var dataNames = []struct {
	kind graph.Kind
	name string
}{
	{graph.KindReport, "Reports"},
	{graph.KindEntity, "Entities"},
	{graph.KindRelationship, "Relationships"},
	{graph.KindClaim, "Claims"},
	{graph.KindChunk, "Sources"},
}

var (
	digits = regexp.MustCompile(`\d+`)
	// storedMark is a run of marks such as [1][2] in a stored text.
	storedMark = regexp.MustCompile(`[ \t]*(?:\[\d+\])+`)
	// placeholder replaces a mark in the text that was read but has no number yet.
	placeholder = regexp.MustCompile(`\x{E000}(\d+)\x{E001}`)
)

// CheckReferences parses the references of a model, and replaces those that the context
// offers by [1][2]. The prompts ask for [Data: Entities (5, 7); Claims (2, 34, +more)]. Also
// read are [Report 2], [Passage 2], [Data: Reports 2, 7], ranges, full-width marks, words of
// other languages for kinds, and bare numbers if all records are of one kind. The numbers are
// assigned by numbers, which all texts of one report share. References that the context did
// not offer, or that could mean several records, are removed and counted, and so are those at
// one place after the first five of their kind.
func CheckReferences(text string, offered map[Local]string, numbers *Numbers) (checked string, removed int) {
	return checkReferences(text, offered, func(targets []target) string {
		for i := range targets {
			targets[i].sentence = 0
		}
		return numbers.marks(targets)
	})
}

// CheckSentences is CheckReferences for a context that numbers the sentences of its records:
// [Data: Sources (3.2)] becomes [1.2] for the second sentence of the record [1].
func CheckSentences(text string, offered map[Local]string, numbers *Numbers) (checked string, removed int) {
	return checkReferences(text, offered, numbers.marks)
}

// parenthesised matches a sentence of a record in parentheses, with the sign that ends its own
// sentence.
var parenthesised = regexp.MustCompile(`^\((\d{1,6})\.\d{1,4}\)[.!?。！？;,:]*$`)

// InBrackets returns (3.2) as [3.2] if all records are of one kind and 3 is one of them. Any other
// word stays. The caller knows that the number does not belong to what the text says.
func InBrackets(word string, offered map[Local]string) string {
	m := parenthesised.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	n, err := strconv.Atoi(m[1])
	if _, ok := offered[Local{onlyKind(offered, "", n), n}]; err != nil || !ok {
		return word
	}
	end := strings.IndexByte(word, ')')
	return "[" + word[1:end] + "]" + word[end+1:]
}

// checkReferences replaces references by what format makes of their targets.
func checkReferences(text string, offered map[Local]string, format func([]target) string) (checked string, removed int) {
	var held [][]target
	text = strings.NewReplacer("\uE000", "", "\uE001", "").Replace(text)
	for {
		next := bracketed.ReplaceAllStringFunc(text, func(m string) string {
			groups, ok := parseMark(strings.TrimLeft(m, " \t"))
			if !ok {
				return m
			}
			found, bad := readMark(groups, offered)
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
		return format(held[at])
	})
	return strings.TrimSpace(text), removed
}

// marks formats targets as [1][2.3], each once.
func (n *Numbers) marks(targets []target) string {
	var marks []string
	for _, t := range targets {
		mark := strconv.Itoa(n.Of(t.Kind, t.Key))
		if t.sentence > 0 {
			mark += "." + strconv.Itoa(t.sentence)
		}
		if mark = "[" + mark + "]"; !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
	}
	return strings.Join(marks, "")
}

// Plain removes from a text everything that would read as a reference.
func Plain(text string) string {
	for strings.ContainsAny(text, "[【［") {
		next := bracketed.ReplaceAllStringFunc(text, func(m string) string {
			if _, ok := parseMark(strings.TrimLeft(m, " \t")); ok {
				return ""
			}
			return m
		})
		if next == text {
			break
		}
		text = next
	}
	return text
}

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

// targetsOf returns the targets of a mark in a stored report, at most five of each kind.
// Numbers that the report does not know are skipped.
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
		if t := (target{Kind: r.References[at].Kind, Key: r.References[at].Key}); !isFull(out, t.Kind) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// isFull reports whether there are as many targets of a kind as one place may have.
func isFull(targets []target, kind graph.Kind) bool {
	n := 0
	for _, t := range targets {
		if t.Kind == kind {
			n++
		}
	}
	return n >= maxMarkTargets
}
