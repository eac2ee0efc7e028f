package reportbook

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/markdown"
)

//go:embed page.html
var pageText string

// page is read when the first one is written.
var page = sync.OnceValues(func() (*template.Template, error) { return template.New("page").Parse(pageText) })

// htmlPage is a sheet as a page that needs nothing else: no script, and nothing
// from the network.
func htmlPage(s sheet) (string, error) {
	t, err := page()
	if err != nil {
		return "", err
	}
	heading := ""
	if !opensWithHeading(s.Body) {
		heading = markdown.Sanitize(s.Title)
	}
	for i := range s.Sections {
		for k := range s.Sections[i].Links {
			l := &s.Sections[i].Links[k]
			l.Before, l.Text = markdown.Sanitize(l.Before), markdown.Sanitize(l.Text)
		}
	}
	for i := range s.Facts {
		s.Facts[i] = markdown.Sanitize(s.Facts[i])
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		sheet
		Heading string
		Text    template.HTML
	}{sheet{Title: markdown.Sanitize(s.Title), Up: s.Up, Facts: s.Facts, Quote: markdown.Sanitize(s.Quote), Sections: s.Sections}, heading, template.HTML(markdown.HTML(s.Body, 0, s.Href))}) //nolint:gosec // markdown.HTML escapes all of it
	return b.String(), err
}

func opensWithHeading(body string) bool { return strings.HasPrefix(strings.TrimSpace(body), "# ") }

// markdownPage is a sheet as markdown.
func markdownPage(s sheet) (string, error) {
	var b strings.Builder
	for _, up := range s.Up {
		fmt.Fprintf(&b, "[%s](%s)\n\n", markdown.Escape(up.Text), up.To)
	}
	if !opensWithHeading(s.Body) {
		fmt.Fprintf(&b, "# %s\n\n", markdown.Escape(s.Title))
	}
	if s.Body != "" {
		b.WriteString(strings.TrimSpace(markdown.Relink(s.Body, 0, s.Href)) + "\n\n")
	}
	for _, fact := range s.Facts {
		b.WriteString(markdown.Escape(fact) + "\n\n")
	}
	if s.Quote != "" {
		for line := range strings.Lines(strings.TrimSpace(s.Quote)) {
			b.WriteString(strings.TrimRight("> "+markdown.Escape(line), " ") + "\n")
		}
		b.WriteString("\n")
	}
	for _, sec := range s.Sections {
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
