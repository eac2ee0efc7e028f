package overview

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

// comparedSentences is how many sentences a comparison has of each side, and of both together.
const comparedSentences = 3

// comparison answers with what is said of a name, what of another one, and what of both together.
func comparison(ctx context.Context, r query.Request, a, b retrieve.Name) (Overview, error) {
	entities, err := readEntities(ctx, r.Reader, slices.Concat(a.Keys, b.Keys))
	if err != nil {
		return Overview{}, err
	}
	paths, err := readPaths(ctx, r.Reader, a, b, pathsRead)
	if err != nil {
		return Overview{}, err
	}
	byKey := map[string]graph.Entity{}
	for _, e := range entities {
		byKey[e.Key] = e
	}
	var o Overview
	list := relationshipList{said: map[string]bool{}}
	var sides []string
	for _, side := range [][]retrieve.Name{{a, b}, {b, a}} {
		sources := 0
		for _, key := range side[0].Keys {
			e := byKey[key]
			sources += e.Frequency
			list.addSide(e, side[1].Text)
		}
		sides = append(sides, fmt.Sprintf("%s in %s", cite.SanitizeTitle(side[0].Text), text.Count(sources, "source", "sources")))
	}
	o.Lead = "Named: " + sides[0] + ", " + sides[1]
	for _, path := range paths {
		if len(path) == 1 {
			list.add(path[0], comparedSentences)
			o.Lead += ", both together in " + mentions(path[0])
		}
	}
	o.Lead += "."
	if shared := between(paths); len(shared) > 0 {
		o.Lead += " Both are named with " + text.JoinAnd(shared) + "."
	}
	o.Draft = list.Draft
	return o, nil
}

// addSide adds sentences about an entity that do not name what it is compared with.
func (l *relationshipList) addSide(e graph.Entity, other string) {
	added := 0
	for _, sentence := range tellingSentences(e.Description, len(e.Description), e.Name) {
		if added == comparedSentences {
			break
		}
		if l.said[sentence] || rateSentence(sentence, []string{other}).names > 0 {
			continue
		}
		l.said[sentence] = true
		item := entityItem(e, sentence)
		item.Label = e.Name
		l.Draft.Items = append(l.Draft.Items, item)
		added++
	}
	l.Draft.Blocks, l.Draft.Tokens = l.Draft.Blocks+1, l.Draft.Tokens+e.NTokens
}
