package reportbook

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// An Address returns the address of the page of a node, or "" if it has none.
type Address func(kind graph.Kind, key string) string

// pages are the pages of a book. What they link to is where the caller puts it.
type pages struct {
	b        *Book
	to       Address
	contents string // address of the table of contents
}

// ContentsHTML returns the table of contents, the tree of all reports, as a part of an HTML page.
func (b *Book) ContentsHTML(to Address) (template.HTML, error) {
	return renderMain(pages{b: b, to: to}.contentsPage())
}

// ReportHTML returns a report as a part of an HTML page, with links to the table of contents, to its
// parent and children, and to what it cites.
func (b *Book) ReportHTML(r Report, contents string, to Address) (template.HTML, error) {
	return renderMain(pages{b, to, contents}.reportPage(r))
}

func (p pages) reportLink(label string) link {
	e := p.b.Entries[p.b.labels[label]]
	return link{Text: Line(e), To: p.to(graph.KindReport, e.Key)}
}

// contentsPage returns the index: the tree of all reports.
func (p pages) contentsPage() page {
	var tree func(labels []string) []link
	tree = func(labels []string) []link {
		links := make([]link, len(labels))
		for i, label := range labels {
			links[i] = p.reportLink(label)
			links[i].Below = tree(p.b.Entries[p.b.labels[label]].Children)
		}
		return links
	}
	return page{
		Title: "Reports of " + p.b.Corpus, Facts: []string{fmt.Sprintf("%d reports", len(p.b.Entries))},
		Sections: []section{{"Contents", tree(p.b.tops(""))}},
	}
}

func (p pages) up() []link { return []link{{Text: "Contents", To: p.contents}} }

func (p pages) reportPage(r Report) page {
	to := map[int]string{}
	refs := section{Title: "References"}
	for _, c := range r.References {
		to[c.N] = p.to(c.Kind, c.Key)
		refs.Links = append(refs.Links, link{Before: fmt.Sprintf("[%d] %s:", c.N, strings.ToLower(string(c.Kind))), Text: c.Title, To: to[c.N]})
	}
	s := page{
		Title: r.Title, Up: p.up(), Body: r.body(), Href: func(n int) string { return to[n] },
		Facts: r.facts(),
	}
	if r.Parent != "" {
		s.Sections = append(s.Sections, section{"Parent", []link{p.reportLink(r.Parent)}})
	}
	children, documents := section{Title: "Children"}, section{Title: "Documents"}
	for _, label := range r.Children {
		children.Links = append(children.Links, p.reportLink(label))
	}
	for _, d := range r.Documents {
		if address := p.to(graph.KindDocument, d.Key); address != "" {
			documents.Links = append(documents.Links, link{Text: d.Title, To: address})
		}
	}
	s.addSections(children, documents, refs)
	return s
}
