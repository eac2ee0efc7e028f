package reportbook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// Formats are the forms of an export.
var Formats = []string{"md", "html"}

// A sheet is a page before it has a form.
type sheet struct {
	Title    string
	Up       []link
	Body     string             // markdown that carries [n]; brings its title along
	Href     func(n int) string // of the numbers in Body; nil for none
	Facts    []string
	Quote    string // words of a document, as they are
	Sections []section
}

type section struct {
	Title string
	Links []link
}

// A link leads to another page, or is text where To is empty.
type link struct {
	Before string // such as the number of a reference
	Text   string
	To     string
	Depth  int // in a tree
}

// form makes a page of a sheet.
type form func(s sheet) (string, error)

// exporter writes a book out.
type exporter struct {
	b       *Book
	ending  string
	form    form
	write   func(path string, body []byte) error
	citedBy map[graph.Reference][]string // labels of reports
	files   int
}

// Export hands over the pages of a book in a form of Formats: index, a page a
// report, and a page for each thing that a report cites, with links between
// them. Paths are relative, with "/" as separator; the same book gives the same
// bytes. It returns how many pages there are.
func (b *Book) Export(ctx context.Context, format string, write func(path string, body []byte) error) (int, error) {
	x := &exporter{b: b, ending: "." + format, form: markdownPage, write: write, citedBy: map[graph.Reference][]string{}}
	switch format {
	case "md":
	case "html":
		x.form = htmlPage
	default:
		return 0, fmt.Errorf("export of reports: format %q: choose one of %s", format, strings.Join(Formats, ", "))
	}
	if err := x.put("index", x.contents()); err != nil {
		return x.files, err
	}
	for part := range slices.Chunk(b.Entries, textPage) {
		reports, err := b.Read(ctx, part)
		if err != nil {
			return x.files, err
		}
		for _, r := range reports {
			if err := x.put(b.pathOf(graph.KindReport, r.Key), x.report(r)); err != nil {
				return x.files, err
			}
		}
	}
	return x.files, x.evidence(ctx)
}

func (x *exporter) put(path string, s sheet) error {
	text, err := x.form(s)
	if err != nil {
		return fmt.Errorf("page %s: %w", path, err)
	}
	x.files++
	return x.write(path+x.ending, []byte(text))
}

// to is the address of a node's page, seen from a page below a folder; "" where
// it has none.
func (x *exporter) to(kind graph.Kind, key string) string {
	_, shown := x.b.keys[key]
	if folders[kind] == "" || kind == graph.KindReport && !shown {
		return ""
	}
	return "../" + x.b.pathOf(kind, key) + x.ending
}

func (x *exporter) toLabel(label, prefix string) link {
	e := x.b.Entries[x.b.labels[label]]
	return link{Text: Line(e), To: prefix + x.b.pathOf(graph.KindReport, e.Key) + x.ending}
}

// contents is the tree of all reports.
func (x *exporter) contents() sheet {
	s := sheet{Title: "Reports of " + x.b.Corpus, Facts: []string{fmt.Sprintf("%d reports", len(x.b.Entries))}}
	tree := section{Title: "Contents"}
	var walk func(label string, depth int)
	walk = func(label string, depth int) {
		l := x.toLabel(label, "")
		l.Depth = depth
		tree.Links = append(tree.Links, l)
		for _, child := range x.b.Entries[x.b.labels[label]].Children {
			walk(child, depth+1)
		}
	}
	for _, e := range x.b.Entries {
		if e.Parent == "" {
			walk(e.Label, 0)
		}
	}
	s.Sections = []section{tree}
	return s
}

func (x *exporter) up() []link { return []link{{Text: "Contents", To: "../index" + x.ending}} }

func (x *exporter) report(r Report) sheet {
	to := map[int]string{}
	refs := section{Title: "References"}
	for _, c := range r.References {
		ref := graph.Reference{Kind: c.Kind, Key: c.Key}
		if !slices.Contains(x.citedBy[ref], r.Label) {
			x.citedBy[ref] = append(x.citedBy[ref], r.Label)
		}
		to[c.N] = x.to(c.Kind, c.Key)
		refs.Links = append(refs.Links, link{Before: fmt.Sprintf("[%d] %s:", c.N, strings.ToLower(string(c.Kind))), Text: c.Title, To: to[c.N]})
	}
	s := sheet{
		Title: r.Title, Up: x.up(), Body: r.body(), Href: func(n int) string { return to[n] },
		Facts: r.facts(),
	}
	if r.Parent != "" {
		s.Sections = append(s.Sections, section{"Parent", []link{x.toLabel(r.Parent, "../")}})
	}
	children := section{Title: "Children"}
	for _, label := range r.Children {
		children.Links = append(children.Links, x.toLabel(label, "../"))
	}
	for _, sec := range []section{children, refs} {
		if len(sec.Links) > 0 {
			s.Sections = append(s.Sections, sec)
		}
	}
	return s
}

// evidence writes a page for each thing that reports cite, but for reports,
// which have theirs.
func (x *exporter) evidence(ctx context.Context) error {
	var refs []graph.Reference
	for ref := range x.citedBy {
		if ref.Kind != graph.KindReport && folders[ref.Kind] != "" {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b graph.Reference) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) })
	return x.b.evidence(ctx, refs, func(ev neo4jstore.Evidence) error { return x.put(x.b.pathOf(ev.Kind, ev.Key), x.node(ev)) })
}

func (x *exporter) node(ev neo4jstore.Evidence) sheet {
	s := sheet{Title: cmp.Or(ev.Title, graph.Local(ev.Key)), Up: x.up(), Facts: []string{strings.ToLower(string(ev.Kind))}, Quote: ev.ChunkText}
	if ev.Kind != graph.KindChunk {
		s.Body = ev.Text
	}
	if ev.DocumentURI != "" {
		s.Facts = append(s.Facts, fmt.Sprintf("%s, bytes %d to %d", ev.DocumentURI, ev.Start, ev.End))
	}
	by := section{Title: "Cited by"}
	for _, label := range x.citedBy[graph.Reference{Kind: ev.Kind, Key: ev.Key}] {
		by.Links = append(by.Links, x.toLabel(label, "../"))
	}
	seen := section{Title: "Mentioned in"}
	for i, support := range ev.Supports {
		if len(x.citedBy[graph.Reference{Kind: support.Kind, Key: support.Key}]) > 0 {
			seen.Links = append(seen.Links, link{Text: fmt.Sprintf("chunk %d", i+1), To: x.to(support.Kind, support.Key)})
		}
	}
	for _, sec := range []section{by, seen} {
		if len(sec.Links) > 0 {
			s.Sections = append(s.Sections, sec)
		}
	}
	return s
}
