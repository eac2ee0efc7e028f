package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A NeighborhoodQuery selects entities and other nodes, and limits what is read around
// the entities.
type NeighborhoodQuery struct {
	Entities      []string
	Relationships []string // read even if no entity leads to them, as are claims and chunks
	Claims        []string
	Chunks        []string
	// Retrieved are relationships that count as the entities do: their ends are read with
	// the entities, and chunks that mention them with those that mention entities.
	Retrieved []string
	// Weights are of entities and of Retrieved, by key, for the weight of the chunks that
	// mention them; 1 for a key that is missing. Similar is added to the weight of a chunk.
	Weights, Similar map[string]float64
	Level            int // deepest level of reports
	// MaxRelationships and MaxClaims are for each entity; MaxReports, MaxNeighbours, and
	// MaxChunks that mention entities, are for all together.
	MaxRelationships, MaxClaims, MaxReports, MaxChunks, MaxNeighbours int
	// Terms are index terms, as claims have them in their property terms. Of the claims of an entity,
	// those with most of them are read.
	Terms []string
	// Scope, if not nil, restricts what is read. Entities and relationships then have the
	// descriptions of their mentions in the scope. Reports are not read, because they
	// cover the whole corpus.
	Scope *Scope
}

// Neighborhood holds what is connected to entities. Entities and chunks have the order
// of the query, and other entities follow by key; relationships and claims are sorted by
// key, neighbours, reports and mentioning chunks best first.
type Neighborhood struct {
	Entities   []graph.Entity
	Neighbours []graph.Entity // other ends of relationships of the entities
	// Touched is, by neighbour, how many of the entities it is related to, plus a fraction
	// that grows with the weight of those relationships.
	Touched       map[string]float64
	Degrees       map[string]int // of the ends of relationships, by key
	Relationships []graph.Relationship
	Claims        []graph.Claim
	Reports       []ReportRow
	Members       map[string]int      // by report: the number of the entities in its community
	Ancestors     map[string][]string // by report: the communities that contain its own
	Chunks        []ChunkRow
	Mentioned     []ChunkRow
	Weights       map[string]float64 // by mentioning chunk: rare entities weigh more
}

// Neighborhood reads the neighborhood of entities in one round trip. It reads only
// visible reports. Keys that do not exist are skipped.
func (s *Store) Neighborhood(ctx context.Context, corpus string, q NeighborhoodQuery) (Neighborhood, error) {
	found := Neighborhood{Members: map[string]int{}, Ancestors: map[string][]string{}, Weights: map[string]float64{}, Touched: map[string]float64{}, Degrees: map[string]int{}}
	params := map[string]any{
		"entities": append([]string{}, q.Entities...), "relationships": append([]string{}, q.Relationships...),
		"retrieved": append([]string{}, q.Retrieved...),
		"claims":    append([]string{}, q.Claims...), "chunks": append([]string{}, q.Chunks...), "level": q.Level,
		"max_relationships": q.MaxRelationships, "max_claims": q.MaxClaims, "max_reports": q.MaxReports, "max_chunks": q.MaxChunks,
		"max_neighbours": q.MaxNeighbours, "weights": realsParam(q.Weights), "similar": realsParam(q.Similar),
		"question_terms": append([]string{}, q.Terms...),
	}
	st := cypher.ReadNeighborhood
	if q.Scope != nil {
		st, params = cypher.ReadNeighborhoodInScope, q.scopeParams(params)
	}
	if err := s.read(ctx, st, corpus, params, eachRow(found.add)); err != nil {
		return Neighborhood{}, searchError(corpus, err)
	}
	found.sort(q)
	return found, nil
}

// realsParam returns numbers by key as a parameter.
func realsParam(m map[string]float64) map[string]any {
	out := make(map[string]any, len(m))
	for key, x := range m {
		out[key] = x
	}
	return out
}

// mentionsPerNode is how many mentions describe a node in a scope.
const mentionsPerNode = 8

// scopeParams adds the parameters of the scope, which include chunks: those of the query
// are renamed.
func (q NeighborhoodQuery) scopeParams(params map[string]any) map[string]any {
	params["found_chunks"], params["max_mentions"] = params["chunks"], mentionsPerNode
	return q.Scope.params(params)
}

// add adds a row of the result.
func (f *Neighborhood) add(v values) {
	n, a, b := v.sub("node"), v.sub("a"), v.sub("b")
	switch v.text("kind") {
	case "Entity":
		f.Entities = append(f.Entities, entityOf(v, n))
	case "Neighbour":
		f.Neighbours = append(f.Neighbours, entityOf(v, n))
		f.Touched[n.text("key")] = v.real("score")
	case "Relationship":
		f.Relationships = append(f.Relationships, relationshipOf(v))
		f.Degrees[a.text("key")], f.Degrees[b.text("key")] = a.int("degree"), b.int("degree")
	case "Claim":
		f.Claims = append(f.Claims, graph.Claim{
			Key: n.text("key"), Chunk: n.text("chunk"), NTokens: n.int("n_tokens"),
			ClaimRecord: graph.ClaimRecord{
				Subject: n.text("subject"), Object: n.text("object"), Type: n.text("type"), Status: n.text("status"),
				StartDate: n.text("start_date"), EndDate: n.text("end_date"), Description: n.text("description"), SourceText: n.text("source_text"),
			},
		})
	case "Report":
		row := reportRow(values{"report": map[string]any(n), "community": map[string]any(a), "findings": v["findings"], "references": v["references"]})
		f.Reports = append(f.Reports, row)
		f.Members[row.Key] = int(v.real("score"))
		f.Ancestors[row.Key] = a.texts("ancestors")
	case "Mentioned":
		row := chunkRow(n, a)
		f.Mentioned = append(f.Mentioned, row)
		f.Weights[row.Key] = v.real("score")
	case "Chunk":
		f.Chunks = append(f.Chunks, chunkRow(n, a))
	}
}

// sort sorts the lists, so that they do not depend on the plan of the server.
func (f *Neighborhood) sort(q NeighborhoodQuery) {
	at := func(keys []string) map[string]int {
		places := make(map[string]int, len(keys))
		for i, key := range keys {
			places[key] = i
		}
		return places
	}
	entities, chunks := at(q.Entities), at(q.Chunks)
	slices.SortFunc(f.Entities, func(a, b graph.Entity) int {
		return cmp.Or(cmp.Compare(placeOf(entities, a.Key), placeOf(entities, b.Key)), cmp.Compare(a.Key, b.Key))
	})
	slices.SortFunc(f.Neighbours, func(a, b graph.Entity) int {
		return cmp.Or(cmp.Compare(f.Touched[b.Key], f.Touched[a.Key]), cmp.Compare(a.Key, b.Key))
	})
	slices.SortFunc(f.Chunks, func(a, b ChunkRow) int { return cmp.Compare(chunks[a.Key], chunks[b.Key]) })
	slices.SortFunc(f.Relationships, func(a, b graph.Relationship) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(f.Claims, func(a, b graph.Claim) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(f.Reports, func(a, b ReportRow) int {
		return cmp.Or(cmp.Compare(f.Members[b.Key], f.Members[a.Key]), cmp.Compare(b.Level, a.Level), cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Key, b.Key))
	})
	slices.SortFunc(f.Mentioned, func(a, b ChunkRow) int {
		return cmp.Or(cmp.Compare(f.Weights[b.Key], f.Weights[a.Key]), cmp.Compare(a.Key, b.Key))
	})
}

// placeOf returns the place of a key, or one behind all places.
func placeOf(places map[string]int, key string) int {
	if at, ok := places[key]; ok {
		return at
	}
	return len(places)
}

// entityOf returns the entity of a row.
func entityOf(row, n values) graph.Entity {
	return graph.Entity{
		Key: n.text("key"), Name: n.text("name"), Type: n.text("type"), Description: descriptionOf(row, n),
		Degree: n.int("degree"), Frequency: n.int("frequency"), NTokens: n.int("n_tokens"),
	}
}

// descriptionOf returns the distinct descriptions of the mentions of a node, joined, or
// the description of the node if there are none.
func descriptionOf(row, node values) string {
	var all []string
	for _, text := range row.texts("said") {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return node.text("description")
	}
	return strings.Join(all, " ")
}
