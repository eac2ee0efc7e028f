package reportbook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Formats are the formats of Export.
var Formats = []string{"md", "html"}

// A page is the content of a page, independent of its format.
type page struct {
	Title    string
	Up       []link
	Body     string             // Markdown with citations [n]; includes the title
	Href     func(n int) string // returns the address of a citation in Body, or ""; nil for none
	Facts    []string
	Quote    string // verbatim from a document
	Sections []section
}

type section struct {
	Title string
	Links []link
}

// addSections adds the sections that have links.
func (p *page) addSections(sections ...section) {
	for _, s := range sections {
		if len(s.Links) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
}

// A link leads to another page, or is text if To is empty.
type link struct {
	Before string // text before the link, such as the number of a reference
	Text   string
	To     string
	Depth  int // in the tree of contents
}

// A renderer returns a page in a format.
type renderer func(p page) (string, error)

// An exporter writes the pages of a book.
type exporter struct {
	b         *Book
	extension string
	render    renderer
	write     func(path string, body []byte) error
	citedBy   map[graph.Reference][]string // labels of reports
	files     int
}

// Export passes the pages of a book to write, in one of Formats: the index, a page for
// each report, and a page for each node that a report cites, with links between them.
// Paths are relative, with "/" as separator. The same book gives the same bytes. It
// returns the number of pages.
func (b *Book) Export(ctx context.Context, format string, write func(path string, body []byte) error) (int, error) {
	x := &exporter{b: b, extension: "." + format, render: renderMarkdown, write: write, citedBy: map[graph.Reference][]string{}}
	switch format {
	case "md":
	case "html":
		x.render = renderHTML
	default:
		return 0, fmt.Errorf("export reports: unknown format %q: choose one of %s", format, strings.Join(Formats, ", "))
	}
	if err := x.writePage("index", x.contentsPage()); err != nil {
		return x.files, err
	}
	for part := range slices.Chunk(b.Entries, textBatch) {
		reports, err := b.Read(ctx, part)
		if err != nil {
			return x.files, err
		}
		for _, r := range reports {
			if err := x.writePage(b.pathOf(graph.KindReport, r.Key), x.reportPage(r)); err != nil {
				return x.files, err
			}
		}
	}
	return x.files, x.writeEvidence(ctx)
}

func (x *exporter) writePage(path string, s page) error {
	text, err := x.render(s)
	if err != nil {
		return fmt.Errorf("render page %s: %w", path, err)
	}
	x.files++
	return x.write(path+x.extension, []byte(text))
}

// href returns the address of the page of a node, relative to a page in a folder, or ""
// if it has none.
func (x *exporter) href(kind graph.Kind, key string) string {
	_, shown := x.b.keys[key]
	if folders[kind] == "" || kind == graph.KindReport && !shown {
		return ""
	}
	return "../" + x.b.pathOf(kind, key) + x.extension
}

func (x *exporter) reportLink(label, prefix string) link {
	e := x.b.Entries[x.b.labels[label]]
	return link{Text: Line(e), To: prefix + x.b.pathOf(graph.KindReport, e.Key) + x.extension}
}

// contentsPage returns the index: the tree of all reports.
func (x *exporter) contentsPage() page {
	s := page{Title: "Reports of " + x.b.Corpus, Facts: []string{fmt.Sprintf("%d reports", len(x.b.Entries))}}
	tree := section{Title: "Contents"}
	var walk func(label string, depth int)
	walk = func(label string, depth int) {
		l := x.reportLink(label, "")
		l.Depth = depth
		tree.Links = append(tree.Links, l)
		for _, child := range x.b.Entries[x.b.labels[label]].Children {
			walk(child, depth+1)
		}
	}
	for _, label := range x.b.tops("") {
		walk(label, 0)
	}
	s.Sections = []section{tree}
	return s
}

func (x *exporter) up() []link { return []link{{Text: "Contents", To: "../index" + x.extension}} }

func (x *exporter) reportPage(r Report) page {
	to := map[int]string{}
	refs := section{Title: "References"}
	for _, c := range r.References {
		ref := graph.Reference{Kind: c.Kind, Key: c.Key}
		if !slices.Contains(x.citedBy[ref], r.Label) {
			x.citedBy[ref] = append(x.citedBy[ref], r.Label)
		}
		to[c.N] = x.href(c.Kind, c.Key)
		refs.Links = append(refs.Links, link{Before: fmt.Sprintf("[%d] %s:", c.N, strings.ToLower(string(c.Kind))), Text: c.Title, To: to[c.N]})
	}
	s := page{
		Title: r.Title, Up: x.up(), Body: r.body(), Href: func(n int) string { return to[n] },
		Facts: r.facts(),
	}
	if r.Parent != "" {
		s.Sections = append(s.Sections, section{"Parent", []link{x.reportLink(r.Parent, "../")}})
	}
	children := section{Title: "Children"}
	for _, label := range r.Children {
		children.Links = append(children.Links, x.reportLink(label, "../"))
	}
	s.addSections(children, refs)
	return s
}

// writeEvidence writes a page for each node that reports cite, except for reports, which
// have their own.
func (x *exporter) writeEvidence(ctx context.Context) error {
	var refs []graph.Reference
	for ref := range x.citedBy {
		if ref.Kind != graph.KindReport && folders[ref.Kind] != "" {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b graph.Reference) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) })
	return x.b.readEvidence(ctx, refs, func(ev neo4jstore.Evidence) error {
		return x.writePage(x.b.pathOf(ev.Kind, ev.Key), x.evidencePage(ev))
	})
}

func (x *exporter) evidencePage(ev neo4jstore.Evidence) page {
	s := page{Title: cmp.Or(ev.Title, graph.Local(ev.Key)), Up: x.up(), Facts: []string{strings.ToLower(string(ev.Kind))}, Quote: ev.ChunkText}
	if ev.Kind != graph.KindChunk {
		s.Body = ev.Text
	}
	if ev.DocumentURI != "" {
		s.Facts = append(s.Facts, fmt.Sprintf("%s, bytes %d to %d", ev.DocumentURI, ev.Start, ev.End))
	}
	by := section{Title: "Cited by"}
	for _, label := range x.citedBy[graph.Reference{Kind: ev.Kind, Key: ev.Key}] {
		by.Links = append(by.Links, x.reportLink(label, "../"))
	}
	seen := section{Title: "Mentioned in"}
	for i, support := range ev.Supports {
		if len(x.citedBy[graph.Reference{Kind: support.Kind, Key: support.Key}]) > 0 {
			seen.Links = append(seen.Links, link{Text: fmt.Sprintf("chunk %d", i+1), To: x.href(support.Kind, support.Key)})
		}
	}
	s.addSections(by, seen)
	return s
}
