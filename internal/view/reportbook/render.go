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
var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{"clean": sanitize.Controls}).Parse(pageText)
})

// renderHTML returns a page as HTML, without scripts and without anything from the
// network.
func renderHTML(p page) (string, error) { return execute("page", p) }

// renderMain returns what a page of HTML has between its head and its end.
func renderMain(p page) (template.HTML, error) {
	text, err := execute("main", p)
	return template.HTML(text), err //nolint:gosec // a template has written it
}

func execute(name string, p page) (string, error) {
	t, err := pageTemplate()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.ExecuteTemplate(&b, name, struct {
		page
		HasHeading bool
		Text       template.HTML
	}{p, opensWithHeading(p.Body), template.HTML(markdown.HTML(p.Body, 0, p.Href))}) //nolint:gosec // markdown.HTML escapes all of it
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
		writeLinks(&b, sec.Links, "")
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

// writeLinks writes a list of links as Markdown.
func writeLinks(b *strings.Builder, links []link, indent string) {
	for _, l := range links {
		text := markdown.Escape(l.Text)
		if l.To != "" {
			text = "[" + text + "](" + l.To + ")"
		}
		b.WriteString(indent + "- " + strings.TrimSpace(markdown.Escape(l.Before)+" "+text) + "\n")
		writeLinks(b, l.Below, indent+"    ")
	}
}
