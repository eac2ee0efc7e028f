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
	Below  []link // in the tree of contents
}

// A renderer returns a page in a format.
type renderer func(p page) (string, error)

// An exporter writes the pages of a book.
type exporter struct {
	pages

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
	x := &exporter{pages: pages{b: b}, extension: "." + format, render: renderMarkdown, write: write, citedBy: map[graph.Reference][]string{}}
	switch format {
	case "md":
	case "html":
		x.render = renderHTML
	default:
		return 0, fmt.Errorf("export reports: unknown format %q: choose one of %s", format, strings.Join(Formats, ", "))
	}
	x.to, x.contents = x.address, "../index"+x.extension
	contents := pages{b: b, to: func(kind graph.Kind, key string) string { return strings.TrimPrefix(x.address(kind, key), "../") }}
	if err := x.writePage("index", contents.contentsPage()); err != nil {
		return x.files, err
	}
	for part := range slices.Chunk(b.Entries, textBatch) {
		reports, err := b.Read(ctx, part)
		if err != nil {
			return x.files, err
		}
		for _, r := range reports {
			x.noteCitations(r)
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

// address returns the address of the page of a node, relative to a page in a folder, or ""
// if it has none.
func (x *exporter) address(kind graph.Kind, key string) string {
	_, shown := x.b.keys[key]
	if folders[kind] == "" || kind == graph.KindReport && !shown {
		return ""
	}
	return "../" + x.b.pathOf(kind, key) + x.extension
}

// noteCitations notes what a report cites.
func (x *exporter) noteCitations(r Report) {
	for _, c := range r.References {
		ref := graph.Reference{Kind: c.Kind, Key: c.Key}
		if !slices.Contains(x.citedBy[ref], r.Label) {
			x.citedBy[ref] = append(x.citedBy[ref], r.Label)
		}
	}
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
		by.Links = append(by.Links, x.reportLink(label))
	}
	seen := section{Title: "Mentioned in"}
	for i, support := range ev.Supports {
		if len(x.citedBy[graph.Reference{Kind: support.Kind, Key: support.Key}]) > 0 {
			seen.Links = append(seen.Links, link{Text: fmt.Sprintf("chunk %d", i+1), To: x.to(support.Kind, support.Key)})
		}
	}
	s.addSections(by, seen)
	return s
}
