package service

import (
	"context"
	"errors"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

// An Entity is what the graph has of an entity.
type Entity struct {
	Entity        string   `json:"entity"`
	Type          string   `json:"type"`
	Description   string   `json:"description"`
	Relationships int64    `json:"relationships" doc:"Number of entities that it is related to"`
	Chunks        int64    `json:"chunks" doc:"Number of chunks that mention it"`
	Communities   []string `json:"communities" doc:"Labels, from the top level to the deepest"`
	Neighbours    []string `json:"neighbours" doc:"Strongest first, with the weight of the relationship"`
	Claims        []string `json:"claims"`
	Documents     []string `json:"documents" doc:"Titles, with the number of chunks that mention the entity"`
}

// entityLines is how many neighbours, claims and documents of an entity are shown.
const entityLines = 10

// Entity reads an entity by its name or key, ignoring case. If there is none, the entity that a search for the
// name finds first is read.
func (s *Service) Entity(ctx context.Context, corpus, name string) (Entity, error) {
	if _, err := s.shown(ctx, corpus); err != nil {
		return Entity{}, err
	}
	e, ok, err := s.readEntity(ctx, corpus, name)
	if ok || err != nil {
		return e, err
	}
	found, err := s.options.Store.Find(ctx, corpus, graph.KindEntity, name, 1)
	if err != nil {
		return Entity{}, err
	}
	for _, f := range found {
		if e, ok, err = s.readEntity(ctx, corpus, f.Key); ok || err != nil {
			return e, err
		}
	}
	return Entity{}, NewError(NotFound, "there is no entity "+name+" in the corpus "+corpus, "search for it: a question finds other spellings")
}

func (s *Service) readEntity(ctx context.Context, corpus, name string) (e Entity, ok bool, err error) {
	q, ok := cypher.FindSavedQuery("entities/card")
	if !ok {
		return Entity{}, false, errors.New("read entity: no saved query entities/card")
	}
	params := map[string]any{"corpus": corpus, "entity": name, "limit": int64(entityLines)}
	table, err := s.options.Store.RunReadOnly(ctx, usercypher.Query{Text: q.ForCorpus(corpus), Params: params, Limit: 1, Trusted: true})
	if err != nil || len(table.Rows) == 0 {
		return Entity{}, false, err
	}
	row := map[string]any{}
	for i, column := range table.Columns {
		row[column] = table.Rows[0][i]
	}
	number := func(column string) int64 { n, _ := row[column].(int64); return n }
	text := func(column string) string { s, _ := row[column].(string); return s }
	texts := func(column string) []string {
		list, _ := row[column].([]any)
		out := []string{}
		for _, v := range list {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return Entity{
		Entity: text("entity"), Type: text("type"), Description: text("description"), Relationships: number("relationships"), Chunks: number("chunks"),
		Communities: texts("communities"), Neighbours: texts("neighbours"), Claims: texts("claims"), Documents: texts("documents"),
	}, true, nil
}
