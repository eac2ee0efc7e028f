package overview

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text"
)

const (
	connectionsOfEach = 3 // relationships of one entity in a list of the strongest
	directSentences   = 3 // about the relationship between two names
	pathsRead         = 4 // paths over another entity
)

// connections lists the relationships with most mentions.
func connections(ctx context.Context, r query.Request, q route.OverviewQuestion) (Overview, error) {
	read, err := readOverview(ctx, r.Reader, nil, 0)
	if err != nil {
		return Overview{}, err
	}
	found, err := readStrongestRelationships(ctx, r.Reader, q.Types, overviewRead)
	if err != nil {
		return Overview{}, err
	}
	list := relationshipList{}
	listed := map[string]int{}
	for _, rel := range found {
		if listed[rel.Source] < connectionsOfEach && listed[rel.Target] < connectionsOfEach && list.add(rel, 1) {
			listed[rel.Source]++
			listed[rel.Target]++
		}
		if len(list.Draft.Items) == overviewEntities {
			break
		}
	}
	return Overview{leadOf(read), list.Draft}, nil
}

// connection answers how two names are connected: by the relationship between them, and by the paths
// over others.
func connection(ctx context.Context, r query.Request, a, b retrieve.Name) (Overview, error) {
	paths, err := readPaths(ctx, r.Reader, a, b, pathsRead)
	if err != nil || len(paths) == 0 {
		return Overview{}, err
	}
	list := relationshipList{}
	for _, path := range paths {
		if len(path) == 1 {
			list.add(path[0], directSentences)
			continue
		}
		for _, rel := range path {
			list.add(rel, 1)
		}
	}
	from, to := cite.SanitizeTitle(a.Text), cite.SanitizeTitle(b.Text)
	var lead string
	switch {
	case len(paths[0]) == 1 && len(paths) == 1:
		lead = fmt.Sprintf("%s and %s are named together (%s), and not with the same others.", from, to, mentions(paths[0][0]))
	case len(paths[0]) == 1:
		lead = fmt.Sprintf("%s and %s are named together (%s), and both with %s.", from, to, mentions(paths[0][0]), text.JoinAnd(between(paths)))
	case len(paths[0]) == 2:
		lead = fmt.Sprintf("No relationship joins %s and %s; both are named with %s.", from, to, text.JoinAnd(between(paths)))
	default:
		lead = fmt.Sprintf("No relationship joins %s and %s, and nothing is named with both; the shortest path has %d relationships.", from, to, len(paths[0]))
	}
	return Overview{lead, list.Draft}, nil
}

// A relationshipList is a draft that lists relationships, each sentence once.
type relationshipList struct {
	Draft synth.Draft
	said  map[string]bool
}

// add adds at most limit sentences about a relationship, and reports whether there was one.
func (l *relationshipList) add(rel graph.Relationship, limit int) bool {
	if l.said == nil {
		l.said = map[string]bool{}
	}
	added := false
	for _, sentence := range tellingSentences(rel.Description, limit, rel.SourceName, rel.TargetName) {
		if l.said[sentence] {
			continue
		}
		l.said[sentence], added = true, true
		l.Draft.Items = append(l.Draft.Items, cite.Item{
			Statement: cite.Statement{Text: sentence, Title: rel.SourceName + " — " + rel.TargetName, Target: graph.Reference{Kind: graph.KindRelationship, Key: rel.Key}},
			Label:     fmt.Sprintf("%s — %s (%s)", rel.SourceName, rel.TargetName, mentions(rel)),
		})
	}
	if added {
		l.Draft.Blocks, l.Draft.Tokens = l.Draft.Blocks+1, l.Draft.Tokens+rel.NTokens
	}
	return added
}

// mentions is the number of mentions of a relationship, in words.
func mentions(rel graph.Relationship) string { return text.Count(rel.Weight, "mention", "mentions") }

// between returns the names of the entities that join two others by paths of two relationships.
func between(paths [][]graph.Relationship) []string {
	var names []string
	for _, path := range paths {
		if len(path) != 2 {
			continue
		}
		x, y := path[0], path[1]
		name := x.SourceName
		if x.Target == y.Source || x.Target == y.Target {
			name = x.TargetName
		}
		names = append(names, cite.SanitizeTitle(name))
	}
	return names
}
