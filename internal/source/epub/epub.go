// Package epub reads electronic books.
package epub

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/html"
	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/parse"
)

// An epubPackage is the table of the parts of an electronic book.
type epubPackage struct {
	title, creator, date string
	files                map[string]string // names of pages by their ids
	order                []string          // ids of the pages, in the order of reading
	element              string
	folder               string
}

// Read keeps the text of the pages in the order of reading.
func Read(ctx context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []parse.Failure, error) {
	f, err := office.Open(ctx, raw)
	if err != nil {
		return doc, nil, fmt.Errorf("not an EPUB file: %w", err)
	}
	root := ""
	if err := f.ReadPart("META-INF/container.xml", office.Starts(func(start *xml.StartElement) {
		if start.Name.Local == "rootfile" && root == "" {
			root = office.PartName(office.Attr(start, "full-path"))
		}
	})); err != nil {
		return doc, nil, fmt.Errorf("META-INF/container.xml: %w", err)
	}
	if root == "" || !f.Has(root) {
		return doc, nil, errors.New("no table of its parts: not an EPUB file")
	}
	book := epubPackage{files: map[string]string{}, folder: path.Dir(root)}
	if err := f.ReadPart(root, book.handle); err != nil {
		return doc, nil, fmt.Errorf("%s: %w", root, err)
	}
	var texts []string
	var failures []parse.Failure
	for _, id := range book.order {
		page, err := book.page(f, book.files[id], with)
		if ctx.Err() != nil || f.Left < 0 {
			return doc, nil, cmp.Or(ctx.Err(), err)
		}
		if err != nil {
			failures = append(failures, parse.FailureIn(doc, fmt.Errorf("%s: %w", book.files[id], err)))
		} else if page != "" {
			texts = append(texts, page)
		}
	}
	doc.Text = strings.Join(texts, "\n\n")
	doc.Title = cmp.Or(decode.CleanLine(book.title), doc.Title)
	doc.Date = cmp.Or(parse.Date(book.date), doc.Date)
	if creator := decode.CleanLine(book.creator); creator != "" {
		doc.Metadata = map[string]string{"author": creator}
	}
	return doc, failures, nil
}

// handle handles the part that lists the pages.
func (b *epubPackage) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case end != "":
		b.element = ""
	case start != nil:
		b.element = start.Name.Local
		switch start.Name.Local {
		case "item":
			if strings.Contains(office.Attr(start, "media-type"), "html") && !strings.Contains(office.Attr(start, "properties"), "nav") {
				href, err := url.PathUnescape(office.Attr(start, "href"))
				if err != nil {
					href = office.Attr(start, "href")
				}
				b.files[office.Attr(start, "id")] = path.Join(b.folder, office.PartName(href))
			}
		case "itemref":
			if id := office.Attr(start, "idref"); b.files[id] != "" {
				b.order = append(b.order, id)
			}
		}
	case b.element == "title" && b.title == "":
		b.title = text
	case b.element == "creator" && b.creator == "":
		b.creator = text
	case b.element == "date" && b.date == "":
		b.date = text
	}
	return true
}

// page returns the text of a page.
func (b *epubPackage) page(f *office.Archive, name string, with parse.Options) (string, error) {
	raw, err := f.ReadAll(name)
	if err != nil {
		return "", err
	}
	with.WholePage = true
	doc, _, err := html.Read(f.Ctx, raw, graph.Document{URI: strings.TrimSuffix(name, path.Ext(name)) + ".xhtml"}, with)
	return strings.TrimSpace(doc.Text), err
}
