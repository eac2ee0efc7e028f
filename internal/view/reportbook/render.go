package reportbook

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/markdown"
)

//go:embed page.html
var pageText string

// pageTemplate is parsed when the first page is rendered.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) { return template.New("page").Parse(pageText) })

// renderHTML returns a page as HTML, without scripts and without anything from the
// network.
func renderHTML(p page) (string, error) {
	t, err := pageTemplate()
	if err != nil {
		return "", err
	}
	heading := ""
	if !opensWithHeading(p.Body) {
		heading = sanitize.Controls(p.Title)
	}
	for i := range p.Sections {
		for k := range p.Sections[i].Links {
			l := &p.Sections[i].Links[k]
			l.Before, l.Text = sanitize.Controls(l.Before), sanitize.Controls(l.Text)
		}
	}
	for i := range p.Facts {
		p.Facts[i] = sanitize.Controls(p.Facts[i])
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		page
		Heading string
		Text    template.HTML
	}{page{Title: sanitize.Controls(p.Title), Up: p.Up, Facts: p.Facts, Quote: sanitize.Controls(p.Quote), Sections: p.Sections}, heading, template.HTML(markdown.HTML(p.Body, 0, p.Href))}) //nolint:gosec // markdown.HTML escapes all of it
	return b.String(), err
}

func opensWithHeading(body string) bool { return strings.HasPrefix(strings.TrimSpace(body), "# ") }

// renderMarkdown returns a page as Markdown.
func renderMarkdown(p page) (string, error) {
	var b strings.Builder
	for _, up := range p.Up {
		fmt.Fprintf(&b, "[%s](%s)\n\n", markdown.Escape(up.Text), up.To)
	}
	if !opensWithHeading(p.Body) {
		fmt.Fprintf(&b, "# %s\n\n", markdown.Escape(p.Title))
	}
	if p.Body != "" {
		b.WriteString(strings.TrimSpace(markdown.Relink(p.Body, 0, p.Href)) + "\n\n")
	}
	for _, fact := range p.Facts {
		b.WriteString(markdown.Escape(fact) + "\n\n")
	}
	if p.Quote != "" {
		for line := range strings.Lines(strings.TrimSpace(p.Quote)) {
			b.WriteString(strings.TrimRight("> "+markdown.Escape(line), " ") + "\n")
		}
		b.WriteString("\n")
	}
	for _, sec := range p.Sections {
		fmt.Fprintf(&b, "## %s\n\n", markdown.Escape(sec.Title))
		for _, l := range sec.Links {
			text := markdown.Escape(l.Text)
			if l.To != "" {
				text = "[" + text + "](" + l.To + ")"
			}
			b.WriteString(strings.Repeat("    ", l.Depth) + "- " + strings.TrimSpace(markdown.Escape(l.Before)+" "+text) + "\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}
