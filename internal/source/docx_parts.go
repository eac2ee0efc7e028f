package source

import (
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// docxParts are the parts of a document, which have any names: relations say what they are.
type docxParts struct {
	names   map[string][]string // by kind, the last part of the type of the relation
	targets map[string]string   // names by the id of a relation of the main part
}

// usualParts are the names that parts have in files without relations.
var usualParts = map[string]string{
	"officeDocument": "word/document.xml", "core-properties": "docProps/core.xml", "styles": "word/styles.xml", "numbering": "word/numbering.xml",
	"footnotes": "word/footnotes.xml", "endnotes": "word/endnotes.xml", "comments": "word/comments.xml", "header": "word/header1.xml", "footer": "word/footer1.xml",
}

// findParts reads the relations of the archive and of its main part.
func findParts(f *archive) (docxParts, error) {
	p := docxParts{names: map[string][]string{}, targets: map[string]string{}}
	if err := f.readPart("_rels/.rels", p.relations("", nil)); err != nil {
		return p, err
	}
	p.complete(f, "officeDocument")
	main := p.names["officeDocument"]
	if len(main) == 0 {
		return p, errors.New("no main part: not a Word document")
	}
	p.names["officeDocument"] = main[:1]
	folder, base := path.Split(main[0])
	if err := f.readPart(folder+"_rels/"+base+".rels", p.relations(folder, p.targets)); err != nil {
		return p, err
	}
	for kind := range usualParts {
		p.complete(f, kind)
	}
	return p, nil
}

// complete adds the part of the usual name if there is one and none of that kind is known.
func (p *docxParts) complete(f *archive, kind string) {
	known := p.names[kind][:0]
	for _, name := range p.names[kind] {
		if f.has(name) && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	if len(known) == 0 && f.has(usualParts[kind]) {
		known = append(known, usualParts[kind])
	}
	p.names[kind] = known
}

// relations handles a file of relations, whose targets are relative to a folder.
func (p *docxParts) relations(folder string, targets map[string]string) xmlHandler {
	return func(start *xml.StartElement, _, _ string) bool {
		if start == nil || start.Name.Local != "Relationship" || strings.EqualFold(attr(start, "TargetMode"), "External") {
			return true
		}
		target := partName(attr(start, "Target"))
		if !strings.HasPrefix(attr(start, "Target"), "/") {
			target = path.Join(folder, target)
		}
		kind := path.Base(attr(start, "Type"))
		p.names[kind] = append(p.names[kind], target)
		if targets != nil {
			targets[attr(start, "Id")] = target
		}
		return true
	}
}

// addPart adds the text of a part in another format, which Word converts when it opens the file.
// Parts of formats other than HTML and plain text are left out.
func (r *docxReader) addPart(name string) {
	part, err := r.writer.file.open(name)
	if err != nil || part == nil {
		return
	}
	raw, err := io.ReadAll(part)
	if closeErr := part.Close(); err != nil || closeErr != nil {
		return
	}
	read := readText
	switch strings.ToLower(path.Ext(name)) {
	case ".htm", ".html", ".xhtml":
		read = readHTML
	case ".txt":
	default:
		return
	}
	if doc, _, err := read(r.writer.file.ctx, raw, graph.Document{URI: name}, parsing{}); err == nil && hasText(doc.Text) {
		r.block(strings.TrimSpace(doc.Text), 0, false)
	}
}
