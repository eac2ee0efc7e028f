// Package neobrowser makes files that help to explore a corpus in Neo4j Browser: style
// sheets (GraSS, the style language of Neo4j Browser), an archive of favourites and a
// guide. It serves them to Neo4j Browser on this machine.
package neobrowser

import (
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A Corpus is what the files are generated from.
type Corpus struct {
	Name        string
	Communities []graph.Community // the visible ones, without members, sorted by level and ordinal
	Types       []string          // labels of the types of entities
	Queries     []Query
	Numbers     Numbers
}

// Numbers are the counts that the guide shows.
type Numbers struct{ Documents, Entities, Relationships, Communities, Reports int }

// A Query is a saved query that runs in the Browser unchanged.
type Query struct {
	Name  string // folder and file, such as "communities/members"
	Title string // such as "Communities: the members of a community"
	About string // description, in sentences
	Text  string // a comment with the title, then the statement with its parameters filled in
	Draws bool   // its result is a graph
}

// A File is a file for the Browser.
type File struct {
	Name string // such as "level0.grass"
	Type string // media type
	Body []byte
}

// The names of files. LevelName returns the names of the style sheets of levels.
const (
	GuideName      = "guide.html"
	FavouritesName = "favourites.zip"
	TypesName      = "types.grass"
	EvidenceName   = "evidence.grass"
)

// LevelName returns the name of the style sheet that colours entities by their
// communities down to a level.
func LevelName(level int) string { return fmt.Sprintf("level%d.grass", level) }

// Files makes all files of a corpus. The guide links to the style sheets below base,
// the address they are served at; if base is "", it asks to drop them on the window.
func Files(c Corpus, base string) ([]File, error) {
	const grass, page, archive = "text/plain; charset=utf-8", "text/html; charset=utf-8", "application/zip"
	files := []File{{TypesName, grass, []byte(typeSheet(c))}, {EvidenceName, grass, []byte(evidenceSheet(c))}}
	for level := range c.Levels() {
		files = append(files, File{LevelName(level), grass, []byte(levelSheet(c, level))})
	}
	zip, err := favourites(c)
	if err != nil {
		return nil, err
	}
	html, err := guide(c, base)
	if err != nil {
		return nil, err
	}
	return append(files, File{FavouritesName, archive, zip}, File{GuideName, page, html}), nil
}

// Levels returns the number of levels of communities.
func (c Corpus) Levels() int {
	levels := 0
	for _, k := range c.Communities {
		levels = max(levels, k.Level+1)
	}
	return levels
}

// query finds a query by name.
func (c Corpus) query(name string) (Query, bool) {
	i := slices.IndexFunc(c.Queries, func(q Query) bool { return q.Name == name })
	if i < 0 {
		return Query{}, false
	}
	return c.Queries[i], true
}
