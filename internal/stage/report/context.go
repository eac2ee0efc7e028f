package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A Local is the number of a record in one context. Numbers start at 1 for each
// kind and follow the order shown.
type Local struct {
	Kind graph.Kind
	N    int
}

// A Record is one line of a context, or the report of a child.
type Record struct {
	Local
	Key    string // of the node; for a child, of its report
	Text   string // as shown
	Tokens int    // estimated while packing

	// The following fields are used by reports without a model.
	name  string   // of an entity or child
	typ   string   // of an entity or claim
	body  string   // description
	about []string // keys of the entities that the record is about
	child *graph.Report
	label string // of the child's community

	outside bool // one end of the relationship is in another community
}

// A Context is what a report is written from.
type Context struct {
	Text        string
	Tokens      int // of Text
	Records     []Record
	References  map[Local]string // keys of the nodes that the numbers in Text refer to
	Fingerprint string           // of Text, References, the values below, and the counts of the community
	Reads       string           // fingerprint of Text and References alone, in which a child's report counts as its community's label
	Left        int              // records left out because they did not fit
	Prominent   []graph.Entity   // the most connected entities of the community
	Title       string           // made of the names of prominent entities

	ranked   []rankedEntity                     // Prominent with their ranks
	children []string                           // titles of the reports of children
	sections map[string][]graph.SectionMentions // of the entities, if they were given
}

// sections are the kinds of records in the order shown, with their headings.
var sections = []section{
	{graph.KindEntity, false, "Entities\n\nid|entity|type|description\n"},
	{graph.KindRelationship, false, "Relationships\n\nid|source|target|description\n"},
	{graph.KindClaim, false, "Claims\n\nid|subject|object|type|status|start|end|description\n"},
	{graph.KindReport, false, "Reports\n\n"},
	{graph.KindRelationship, true, "Relationships to others\n\nid|source|target|description\n"},
}

type section struct {
	kind    graph.Kind
	outside bool // relationships to entities outside
	heading string
}

// headed returns the heading, with the number of relationships to entities outside that are left out.
// A large number is rounded down, so that it rarely changes.
func (s section) headed(outsideLeft int) string {
	if !s.outside || outsideLeft == 0 {
		return s.heading
	}
	unit := 1
	for outsideLeft/unit >= 10 {
		unit *= 10
	}
	name, columns, _ := strings.Cut(s.heading, "\n")
	return fmt.Sprintf("%s (at least %d more are not shown)\n%s", name, outsideLeft/unit*unit, columns)
}

func (s section) holds(r Record) bool { return r.Kind == s.kind && r.outside == s.outside }

// entityLine, relationshipLine and claimLine return what a record shows after its
// number, without line breaks and without the reference marks of the source.
func entityLine(e graph.Entity) string {
	return tableCell(e.Name) + "|" + tableCell(e.Type) + "|" + plainLine(e.Description)
}

func relationshipLine(r graph.Relationship) string {
	return tableCell(r.SourceName) + "|" + tableCell(r.TargetName) + "|" + plainLine(r.Description)
}

func claimLine(c graph.Claim) string {
	fields := []string{c.ClaimRecord.Subject, c.ClaimRecord.Object, c.Type, c.Status, c.StartDate, c.EndDate}
	for i := range fields {
		fields[i] = tableCell(fields[i])
	}
	return strings.Join(fields, "|") + "|" + plainLine(c.Description)
}

// plainLine puts a text on one line and removes what would read as a reference.
func plainLine(s string) string { return text.OneLine(Plain(s)) }

// tableCell is plainLine for a column: it also replaces the column separator.
func tableCell(s string) string { return strings.ReplaceAll(plainLine(s), "|", "/") }

// render numbers the records and writes them by section. Rows are numbered first;
// nodes that only the report of a child cites get the numbers after them. The heading of
// relationships to others says how many are left out.
func render(records []Record, outsideLeft int) (string, []Record, map[Local]string) {
	out := make([]Record, 0, len(records))
	n := numbering{of: map[target]int{}, next: map[graph.Kind]int{}, keys: map[Local]string{}}
	for _, s := range sections {
		for _, r := range records {
			if s.holds(r) {
				r.N = n.number(target{Kind: r.Kind, Key: r.Key})
				out = append(out, r)
			}
		}
	}
	var b strings.Builder
	at := 0
	for _, s := range sections {
		for first := true; at < len(out) && s.holds(out[at]); at, first = at+1, false {
			if first {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(s.headed(outsideLeft))
			}
			r := &out[at]
			if r.child != nil {
				text := recordLike.ReplaceAllString(n.translate(*r.child, r.N), "$1- $2") // no line poses as another record
				r.Text = "Report " + strconv.Itoa(r.N) + "\n" + text + "\n"
			} else {
				r.Text = strconv.Itoa(r.N) + "|" + r.Text + "\n"
			}
			b.WriteString(r.Text)
		}
	}
	return b.String(), out, n.keys
}

// recordLike matches the beginning of a line that looks like a record of a context, or like the
// heading of a section.
var recordLike = regexp.MustCompile(`(?mi)^([ \t]*)([*_#>~\x60 \t-]*(?:reports?[ \t]*\d+[*_~\x60 \t]*(?:[:：]|$)|\d+[ \t]*\||id[ \t]*\|)|(?:reports|entities|relationships(?: to others(?: \([^\n]*\))?)?|claims)[ \t]*$)`)

// numbering assigns the numbers of one context.
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
