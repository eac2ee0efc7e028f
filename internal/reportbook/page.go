package reportbook

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Markdown is a report as one text: the report itself, then what it hangs on
// and what its numbers stand for.
func (r Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n## About this report\n\n", r.body())
	for _, fact := range r.facts() {
		b.WriteString("- " + fact + "\n")
	}
	if r.Parent != "" {
		fmt.Fprintf(&b, "- Parent: %s\n", r.Parent)
	}
	if len(r.Children) > 0 {
		fmt.Fprintf(&b, "- Children: %s\n", strings.Join(r.Children, ", "))
	}
	if len(r.References) > 0 {
		b.WriteString("\n## References\n\n")
	}
	for _, ref := range r.References {
		fmt.Fprintf(&b, "- [%d] %s: %s\n", ref.N, strings.ToLower(string(ref.Kind)), oneLine(ref.Title))
	}
	return b.String()
}

// body is the text of a report under its title.
func (r Report) body() string {
	if r.Text != "" {
		return strings.TrimSpace(r.Text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s", oneLine(r.Title), strings.TrimSpace(r.Summary))
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n\n## %s\n\n%s", oneLine(f.Summary), strings.TrimSpace(f.Explanation))
	}
	return b.String()
}

// facts are what there is to say of a report, but for what its text says.
func (r Report) facts() []string {
	facts := []string{fmt.Sprintf("%s: level %d, %d entities, rating %g", r.Label, r.Level, r.Size, r.Rating)}
	if why := oneLine(r.RatingExplanation); why != "" && !strings.Contains(oneLine(r.Text), why) {
		facts = append(facts, why)
	}
	return facts
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// folders are where the pages of what is cited lie.
var folders = map[graph.Kind]string{
	graph.KindReport: "reports", graph.KindEntity: "entities", graph.KindRelationship: "relationships",
	graph.KindClaim: "claims", graph.KindChunk: "chunks",
}

// slugLetters is how much of a name its file keeps.
const slugLetters = 40

// fileName is a name for the file of a node that any file system takes, that
// says what it is, and that no other node has.
func fileName(key string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(graph.Local(key)) {
		switch {
		case b.Len() >= slugLetters:
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(strings.Trim(b.String(), "-")+"-"+graph.Hash(key)[:8], "-")
}

// pathOf is where the page of a node lies, below the folder of the export, with
// "/" as separator and without an ending.
func (b *Book) pathOf(kind graph.Kind, key string) string {
	if at, known := b.keys[key]; known && kind == graph.KindReport {
		return "reports/" + labelFile(b.Entries[at].Label)
	}
	return folders[kind] + "/" + fileName(key)
}

// labelFile is the file of a report: its label, whose prefix the settings choose.
func labelFile(label string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return -1
	}, label)
	if safe == label && label != "" {
		return label
	}
	return fileName(label + "/" + label)
}
