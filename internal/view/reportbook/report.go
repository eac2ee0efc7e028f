package reportbook

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/text"
)

// Markdown returns a report as one text: the report itself, its place in the tree, and
// its references.
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
		fmt.Fprintf(&b, "- [%d] %s: %s\n", ref.N, strings.ToLower(string(ref.Kind)), text.OneLine(ref.Title))
	}
	return b.String()
}

// body returns the text of a report with its title.
func (r Report) body() string {
	if r.Text != "" {
		return strings.TrimSpace(r.Text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s", text.OneLine(r.Title), strings.TrimSpace(r.Summary))
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n\n## %s\n\n%s", text.OneLine(f.Summary), strings.TrimSpace(f.Explanation))
	}
	return b.String()
}

// facts returns what is known about a report beyond its text.
func (r Report) facts() []string {
	facts := []string{fmt.Sprintf("%s: level %d, %d entities, rating %g", r.Label, r.Level, r.Size, r.Rating)}
	if why := text.OneLine(r.RatingExplanation); why != "" && !strings.Contains(text.OneLine(r.Text), why) {
		facts = append(facts, why)
	}
	if from := r.from(); from != "" {
		facts = append(facts, from)
	}
	return facts
}
