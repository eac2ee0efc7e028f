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

// A slide is a page of the guide: a few sentences, a style sheet to put on, and
// queries that run with a click.
type slide struct {
	title   string
	text    []string
	style   string   // name of a style sheet, or empty
	queries []string // names; what the corpus has no values for is left out
}

// slides are the tour, each about what the one before led to.
func slides(c Corpus) []slide {
	n, last := c.Numbers, max(c.Levels()-1, 0)
	return []slide{
		{"The graph of " + c.Name, []string{
			fmt.Sprintf("%d documents were read. They name %d entities with %d relationships between them, which fall into %d communities; each community has a report.", n.Documents, n.Entities, n.Relationships, n.Communities),
			"Every page of this guide has queries: click on one, and it stands in the editor; the blue arrow runs it. Click on a node of a picture to read it, and twice to see what is around it.",
		}, "", []string{"overview/counts", "overview/example"}},
		{"What the documents are about", []string{
			"An entity is a person, a place, an organization or whatever else the text names. Its type is a label too, so a style sheet can colour it.",
		}, TypesName, []string{"overview/types", "entities/picture"}},
		{"One entity", []string{
			"Its card says what is known of it, and its neighbourhood shows whom it is with. The number on an edge says how often the text speaks of both. Put another name in the place of this one.",
			"In the panel of a node you see all its properties in the order of their names. Those that end in _fp are fingerprints, by which a run sees what changed, and embedding is a vector: neither is for reading; the card leaves them out.",
		}, TypesName, []string{"entities/card", "entities/neighbourhood"}},
		{"Communities", []string{
			"Entities that are more with each other than with the rest make a community. On level 0, the root level, communities are largest. The style sheet gives each its colour; grey is what is in none.",
		}, LevelName(0), []string{"communities/level", "entities/picture", "communities/largest"}},
		{"Down the hierarchy", []string{
			fmt.Sprintf("A large community is split into smaller ones, and those again: this corpus has %d levels. In the style sheet of a deeper level, parts have shades of the colour of the community that they are part of.", c.Levels()),
		}, LevelName(last), []string{"communities/tree", "communities/members", "communities/parts"}},
		{"Reports", []string{
			"The report on a community tells in words what it is about, with findings. Reports answer questions about the whole corpus.",
		}, EvidenceName, []string{"reports/best", "reports/read"}},
		{"From a report to the words", []string{
			"Nothing in a report has to be believed: a finding cites entities, relationships and claims, and those stand in chunks of documents. Follow the arrows.",
		}, EvidenceName, []string{"reports/evidence", "reports/quotes"}},
		{"What connects", []string{
			"How one entity leads to another, what is said of two, and which edges lead from one community to the next.",
		}, LevelName(0), []string{"entities/between", "relationships/evidence", "communities/bridges"}},
		{"Documents and claims", []string{
			"How much of each document was understood, what a document contributed, and what the documents claim about somebody.",
		}, EvidenceName, []string{"documents/coverage", "documents/picture", "claims/picture"}},
		{"Go on by yourself", []string{
			"The favourites hold all queries, in folders: open the star on the left after you dropped their archive on this window. Those under Checks look for what is wrong with the graph; no rows are good news.",
			"The command :style reset takes the colours away again.",
		}, "", []string{"checks/orphans", "checks/labels"}},
	}
}

// A page is a slide as the template takes it.
type page struct {
	Number     int
	Title      string
	Text       []string
	Style      string // name of the sheet
	Address    string // of the sheet; empty to have it dropped on the window
	Favourites string // address, on the last page
	Queries    []Query
}

// guide is HTML for the Browser's commands :guide and :play. Names and titles are of the
// corpus, so the template escapes them.
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
		return nil, fmt.Errorf("read the guide: %w", err)
	}
	var body bytes.Buffer
	if err := t.Execute(&body, map[string]any{"Name": c.Name, "Pages": pages}); err != nil {
		return nil, fmt.Errorf("write the guide: %w", err)
	}
	return body.Bytes(), nil
}
