package overview

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/text"
)

// openingDocuments is how many documents an answer about their number shows.
const openingDocuments = 5

// typeNames are what entities of a type are called in a count.
var typeNames = map[string][2]string{
	"person": {"person", "people"}, "location": {"place", "places"}, "organization": {"organization", "organizations"}, "event": {"event", "events"},
}

// counts counts the entities of the types that are asked for, or the documents, and shows the first.
func counts(ctx context.Context, r query.Request, q route.OverviewQuestion) (Overview, error) {
	if len(q.Types) == 0 {
		return countDocuments(ctx, r)
	}
	var o Overview
	for _, typ := range q.Types {
		n, err := readCountTypes(ctx, r.Reader, []string{typ})
		if err != nil {
			return Overview{}, err
		}
		read, err := readOverview(ctx, r.Reader, []string{typ}, overviewRead)
		if err != nil {
			return Overview{}, err
		}
		if o.Lead != "" {
			o.Lead += " "
		}
		o.Lead += countOf(typ, n.Entities, n.Documents, read.Entities)
		o.addEntities(read.Entities)
	}
	return o, nil
}

// countOf is a sentence with the number of entities of a type and those that are named most often.
func countOf(typ string, entities, documents int, most []graph.Entity) string {
	var names []string
	for _, e := range withNames(most) {
		if len(names) < openingDocuments {
			names = append(names, cite.SanitizeTitle(e.Name))
		}
	}
	said := fmt.Sprintf("%s, counted by name, in %s", text.Count(entities, typeNames[typ][0], typeNames[typ][1]), text.Count(documents, "document", "documents"))
	if len(names) > 0 {
		said += "; most often named: " + text.JoinAnd(names)
	}
	return said + "."
}

// countDocuments counts the documents, and shows how the first ones begin.
func countDocuments(ctx context.Context, r query.Request) (Overview, error) {
	read, err := readOverview(ctx, r.Reader, nil, 0)
	if err != nil {
		return Overview{}, err
	}
	chunks, err := readOpeningChunks(ctx, r.Reader, openingDocuments, 1)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Lead: leadOf(read)}
	if len(chunks) < read.Documents {
		o.Lead += fmt.Sprintf(" The first %d begin:", len(chunks))
	}
	o.addOpenings(chunks)
	return o, nil
}
