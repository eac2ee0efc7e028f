package word

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/html"
	"github.com/neorag/neorag/internal/source/markup"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/parse"
)

// usualParts are the names that parts have in files without relations.
var usualParts = map[string]string{
	"officeDocument": "word/document.xml", "core-properties": "docProps/core.xml", "styles": "word/styles.xml", "numbering": "word/numbering.xml",
	"footnotes": "word/footnotes.xml", "endnotes": "word/endnotes.xml", "comments": "word/comments.xml", "header": "word/header1.xml", "footer": "word/footer1.xml",
}

// findParts reads the relations of the archive and of its main part.
func findParts(f *office.Archive) (office.Relations, error) {
	root, err := office.RelationsOf(f, "")
	if err != nil {
		return root, err
	}
	completeParts(root, f, "officeDocument")
	main := root.Names["officeDocument"]
	if len(main) == 0 {
		return root, errors.New("no main part: not a Word document")
	}
	p, err := office.RelationsOf(f, main[0])
	if err != nil {
		return p, err
	}
	for kind, names := range root.Names {
		p.Names[kind] = append(names, p.Names[kind]...)
	}
	p.Names["officeDocument"] = main[:1]
	for kind := range usualParts {
		completeParts(p, f, kind)
	}
	return p, nil
}

// completeParts adds the part of the usual name if there is one and none of that kind is known.
func completeParts(p office.Relations, f *office.Archive, kind string) {
	known := p.Names[kind][:0]
	for _, name := range p.Names[kind] {
		if f.Has(name) && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	if len(known) == 0 && f.Has(usualParts[kind]) {
		known = append(known, usualParts[kind])
	}
	p.Names[kind] = known
}

// addPart adds the text of a part in another format, which Word converts when it opens the file.
// Parts of formats other than HTML and plain text are left out.
func (r *docxReader) addPart(name string) {
	raw, err := r.writer.file.ReadAll(name)
	if err != nil {
		return
	}
	read := markup.Read(nil)
	switch strings.ToLower(path.Ext(name)) {
	case ".htm", ".html", ".xhtml":
		read = html.Read
	case ".txt":
	default:
		return
	}
	if doc, _, err := read(r.writer.file.Ctx, raw, graph.Document{URI: name}, parse.Options{WholePage: true}); err == nil && parse.HasText(doc.Text) {
		r.block(strings.TrimSpace(doc.Text), 0, false)
	}
}
