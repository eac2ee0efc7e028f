package report

import (
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A Local is a number in one context: it counts from 1 per kind, in the order shown.
type Local struct {
	Kind graph.Kind
	N    int
}

// A Record is one line of a context, or one child's report.
type Record struct {
	Local
	Key    string // of the node; of a child: of its report
	Text   string // as shown
	Tokens int    // as added up while packing

	// What a report without a model reads.
	name  string   // entity, child
	typ   string   // entity, claim
	body  string   // description
	about []string // keys of the entities that the record tells of
	child *graph.Report
}

// A Context is what a report is written from.
type Context struct {
	Text        string
	Tokens      int // of Text
	Records     []Record
	References  map[Local]string // keys of what the numbers in Text stand for
	Fingerprint string           // of Text, what its numbers stand for, and the values below
	Left        int              // records that found no room
	Prominent   []graph.Entity   // the most connected entities of the community
	Title       string           // names the community by them
}

// sections are the kinds of records in the order shown, with their headings.
var sections = []struct {
	kind    graph.Kind
	heading string
}{
	{graph.KindEntity, "Entities\n\nid|entity|type|description\n"},
	{graph.KindRelationship, "Relationships\n\nid|source|target|description\n"},
	{graph.KindClaim, "Claims\n\nid|subject|object|type|status|start|end|description\n"},
	{graph.KindReport, "Reports\n\n"},
}

// Lines are what a record shows behind its number. Line breaks and reference
// marks of the source have no place in them.
func entityLine(e graph.Entity) string {
	return cell(e.Name) + "|" + cell(e.Type) + "|" + line(e.Description)
}

func relationshipLine(r graph.Relationship) string {
	return cell(r.SourceName) + "|" + cell(r.TargetName) + "|" + line(r.Description)
}

func claimLine(c graph.Claim) string {
	fields := []string{c.ClaimRecord.Subject, c.ClaimRecord.Object, c.Type, c.Status, c.StartDate, c.EndDate}
	for i := range fields {
		fields[i] = cell(fields[i])
	}
	return strings.Join(fields, "|") + "|" + line(c.Description)
}

// line folds white space and takes out what would read as a reference.
func line(text string) string { return strings.Join(strings.Fields(withoutMarks(text)), " ") }

// cell is a line that cannot be taken for two.
func cell(text string) string { return strings.ReplaceAll(line(text), "|", "/") }

// render numbers the records and writes them down by section. Rows are
// numbered first; what only the text of a child's report cites goes on from there.
func render(records []Record) (string, []Record, map[Local]string) {
	out := make([]Record, 0, len(records))
	n := numbering{of: map[target]int{}, next: map[graph.Kind]int{}, keys: map[Local]string{}}
	for _, s := range sections {
		for _, r := range records {
			if r.Kind == s.kind {
				r.N = n.number(target{r.Kind, r.Key})
				out = append(out, r)
			}
		}
	}
	var text strings.Builder
	at := 0
	for _, s := range sections {
		for first := true; at < len(out) && out[at].Kind == s.kind; at, first = at+1, false {
			if first {
				if text.Len() > 0 {
					text.WriteByte('\n')
				}
				text.WriteString(s.heading)
			}
			r := &out[at]
			if r.child != nil {
				r.Text = "Report " + strconv.Itoa(r.N) + "\n" + n.translate(*r.child, r.N) + "\n"
			} else {
				r.Text = strconv.Itoa(r.N) + "|" + r.Text + "\n"
			}
			text.WriteString(r.Text)
		}
	}
	return text.String(), out, n.keys
}

// numbering hands out the numbers of one context.
type numbering struct {
	of   map[target]int
	next map[graph.Kind]int
	keys map[Local]string
}

func (n *numbering) number(t target) int {
	if at, ok := n.of[t]; ok {
		return at
	}
	n.next[t.Kind]++
	at := n.next[t.Kind]
	n.of[t] = at
	n.keys[Local{t.Kind, at}] = t.Key
	return at
}
