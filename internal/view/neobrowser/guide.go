package neobrowser

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"sync"
)

//go:embed guide.tmpl
var guideText string

var guideTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("guide").Parse(guideText)
})

// A slide is a page of the guide: a few sentences, a style sheet to apply, and queries
// that run with a click.
type slide struct {
	title   string
	text    []string
	style   string   // name of a style sheet, or empty
	queries []string // names; a query without values in the corpus is left out
}

// slides returns the pages of the guide, from the documents down to their evidence.
func slides(c Corpus) []slide {
	n, last := c.Numbers, max(c.Levels()-1, 0)
	return []slide{
		{"The graph of " + c.Name, []string{
			fmt.Sprintf("%d documents mention %d entities and %d relationships between them. The entities form %d communities, each with a report.", n.Documents, n.Entities, n.Relationships, n.Communities),
			"Every page of this guide has queries: click on one to copy it into the editor, and on the blue arrow to run it. Click on a node of a graph to see its properties, and double-click to see its neighbours.",
		}, "", []string{"overview/counts", "overview/example"}},
		{"What the documents are about", []string{
			"An entity is a person, a place, an organization or anything else that the text names. Its type is also a label, so that a style sheet can colour it.",
		}, TypesName, []string{"overview/types", "entities/picture"}},
		{"One entity", []string{
			"Its card shows what is known about it, its neighbourhood the entities it is related to. The number on an edge is how often the text mentions the relationship. Replace the name to look at another entity.",
			"The panel of a node shows all its properties, sorted by name. Those that end in _fp are fingerprints, by which a run detects changes, and embedding is a vector; the card leaves these out.",
		}, TypesName, []string{"entities/card", "entities/neighbourhood"}},
		{"Communities", []string{
			"Entities that are more closely related to each other than to the rest form a community. Communities are largest on level 0, the root level. The style sheet gives each its colour; entities in no community are grey.",
		}, LevelName(0), []string{"communities/level", "entities/picture", "communities/largest"}},
		{"Down the hierarchy", []string{
			fmt.Sprintf("Large communities are split into smaller ones, level by level: this corpus has %d levels. In the style sheet of a deeper level, the parts of a community have shades of its colour.", c.Levels()),
		}, LevelName(last), []string{"communities/tree", "communities/members", "communities/parts"}},
		{"Reports", []string{
			"The report of a community summarises it and lists findings. Reports answer questions about the whole corpus.",
		}, EvidenceName, []string{"reports/best", "reports/read"}},
		{"From a report to the text", []string{
			"Every finding of a report can be checked: it cites entities, relationships and claims, which come from chunks of documents. Follow the arrows.",
		}, EvidenceName, []string{"reports/evidence", "reports/documents", "reports/quotes"}},
		{"Connections", []string{
			"How two entities are connected, what the text says about both, and which edges lead from one community to another.",
		}, LevelName(0), []string{"entities/between", "relationships/evidence", "communities/bridges"}},
		{"Documents and claims", []string{
			"How much of each document was extracted, what a document contributed, and what the documents claim about an entity.",
		}, EvidenceName, []string{"documents/coverage", "documents/picture", "claims/picture"}},
		{"Explore further", []string{
			"The favourites contain all queries, in folders: drop their archive on this window, then click on the star on the left. The queries under Checks look for errors in the graph; they should return no rows.",
			"The command :style reset removes the colours.",
		}, "", []string{"checks/orphans", "checks/labels"}},
	}
}

// A page is a slide in the form that the template needs.
type page struct {
	Number     int
	Title      string
	Text       []string
	Style      string // name of the sheet
	Address    string // of the sheet; empty if the file is to be dropped on the window
	Favourites string // address, on the last page
	Queries    []Query
}

// guide returns HTML for the commands :guide and :play of the Browser. The template
// escapes names and titles, which come from the corpus.
func guide(c Corpus, base string) ([]byte, error) {
	all := slides(c)
	pages := make([]page, len(all))
	for i, s := range all {
		p := page{Number: i + 1, Title: s.title, Text: s.text, Style: s.style}
		if c.Levels() == 0 && p.Style != TypesName && p.Style != EvidenceName {
			p.Style = ""
		}
		if base != "" && p.Style != "" {
			p.Address = base + "/" + p.Style
		}
		if base != "" && i == len(all)-1 {
			p.Favourites = base + "/" + FavouritesName
		}
		for _, name := range s.queries {
			if q, ok := c.query(name); ok {
				p.Queries = append(p.Queries, q)
			}
		}
		pages[i] = p
	}
	t, err := guideTemplate()
	if err != nil {
		return nil, fmt.Errorf("parse guide: %w", err)
	}
	var body bytes.Buffer
	if err := t.Execute(&body, map[string]any{"Name": c.Name, "Pages": pages}); err != nil {
		return nil, fmt.Errorf("write guide: %w", err)
	}
	return body.Bytes(), nil
}
