package overview

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	readOpenings  = 500 // documents among which introductions are looked for
	fewDocuments  = 2   // of so few the first sentences are an introduction
	openingChunks = 2   // that are read of a document
	introducing   = 2   // documents that an overview begins with
)

// introduction matches the names of documents that introduce others.
var introduction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:readme|index|intro(?:duction)?|about|overview|home|welcome|start|preface|einleitung|einführung|uebersicht|übersicht|start(?:seite)?|vorwort|accueil|présentation|introducción|inicio|introduzione|introdução|inleiding|inledning)\b`)
})

// introductions returns the first chunks of the documents that introduce a corpus: all of a few, or else
// those with the name of an introduction, the nearest to the root first.
func introductions(ctx context.Context, r retrieve.Reader) ([]neo4jstore.ChunkRow, error) {
	chunks, err := readOpeningChunks(ctx, r, readOpenings, openingChunks)
	if err != nil {
		return nil, err
	}
	var uris []string
	for _, c := range chunks {
		if !slices.Contains(uris, c.DocumentURI) {
			uris = append(uris, c.DocumentURI)
		}
	}
	if len(uris) > fewDocuments {
		uris = slices.DeleteFunc(uris, func(uri string) bool { return !introduction().MatchString(strings.ToLower(path.Base(uri))) })
		slices.SortStableFunc(uris, func(a, b string) int { return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")) })
		uris = uris[:min(introducing, len(uris))]
	}
	chunks = slices.DeleteFunc(chunks, func(c neo4jstore.ChunkRow) bool { return !slices.Contains(uris, c.DocumentURI) })
	slices.SortStableFunc(chunks, func(a, b neo4jstore.ChunkRow) int {
		return cmp.Compare(slices.Index(uris, a.DocumentURI), slices.Index(uris, b.DocumentURI))
	})
	return chunks, nil
}

// addOpenings adds the statement of each document that introduces it. Chunks of a document follow
// each other.
func (o *Overview) addOpenings(chunks []neo4jstore.ChunkRow) {
	for len(chunks) > 0 {
		c, n := chunks[0], 1
		for n < len(chunks) && chunks[n].DocumentURI == c.DocumentURI {
			n++
		}
		var statements []cite.Statement
		for _, c := range chunks[:n] {
			statements = append(statements, cite.TextStatements(c.Text, c.DocumentTitle, graph.Reference{Kind: graph.KindChunk, Key: c.Key})...)
		}
		if s := opening(statements, c.DocumentTitle); s != nil {
			o.add(cite.Item{Statement: *s, Label: c.DocumentTitle}, c.NTokens)
		}
		chunks = chunks[n:]
	}
}

// opening returns the statement of a document that says what the title is, or else the first that states
// something, or else the last; nil without any.
func opening(statements []cite.Statement, title string) *cite.Statement {
	var first *cite.Statement
	for i := range statements {
		s := &statements[i]
		if s.Fragment || len(strings.Fields(s.Text)) < minTelling || strings.ToUpper(s.Text) == s.Text || textproc.IsTimeLine(s.Text) {
			continue
		}
		if textproc.DefinitionGrade(language.Of(s.Text), s.Text, title) == textproc.Says {
			return s
		}
		if first == nil {
			first = s
		}
	}
	if first == nil && len(statements) > 0 {
		first = &statements[len(statements)-1]
	}
	return first
}
