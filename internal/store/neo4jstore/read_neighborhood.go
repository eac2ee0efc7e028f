package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
		"entities": listOrEmpty(q.Entities), "relationships": listOrEmpty(q.Relationships),
		"retrieved": listOrEmpty(q.Retrieved),
		"claims":    listOrEmpty(q.Claims), "chunks": listOrEmpty(q.Chunks), "level": q.Level,
		"max_relationships": q.MaxRelationships, "max_claims": q.MaxClaims, "max_reports": q.MaxReports, "max_chunks": q.MaxChunks,
		"max_neighbours": q.MaxNeighbours, "weights": realsParam(q.Weights), "similar": realsParam(q.Similar),
		"question_terms": listOrEmpty(q.Terms),
	}
	st := readNeighborhood
	if q.Scope != nil {
		st, params = readNeighborhoodInScope, q.scopeParams(params)
	}
	var d decoder
	err := eachRow(ctx, s, st, corpus, params, func(row neighborhoodRow) { found.add(&d, row) })
	if err = cmp.Or(err, d.err); err != nil {
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

// scopeParams adds the parameters of the scope, which include chunks: the chunks of the query
// are renamed.
func (q NeighborhoodQuery) scopeParams(params map[string]any) map[string]any {
	params["found_chunks"], params["max_mentions"] = params["chunks"], mentionsPerNode
	return q.Scope.params(params)
}

// A neighborhoodRow is a row of the result: what node, a and b are depends on the kind.
type neighborhoodRow struct {
	Kind       string
	Node, A, B values
	Said       []string // descriptions of an entity or relationship in the scope
	Findings   []graph.Finding
	References []graph.Reference
	Score      float64
}

// add adds a row of the result.
func (f *Neighborhood) add(d *decoder, row neighborhoodRow) {
	switch row.Kind {
	case "Entity":
		f.Entities = append(f.Entities, row.entity(d))
	case "Neighbour":
		e := row.entity(d)
		f.Neighbours = append(f.Neighbours, e)
		f.Touched[e.Key] = row.Score
	case "Relationship":
		var r graph.Relationship
		d.readRelationship(row.Node, &r)
		d.readSource(row.A, &r)
		d.readTarget(row.B, &r)
		r.Description = row.description(r.Description)
		f.Relationships = append(f.Relationships, r)
		f.Degrees[r.Source], f.Degrees[r.Target] = row.A.int("degree"), row.B.int("degree")
	case "Claim":
		var c graph.Claim
		d.readClaim(row.Node, &c)
		f.Claims = append(f.Claims, c)
	case "Report":
		r := ReportRow{Report: graph.Report{Findings: row.Findings, References: row.References}}
		d.readReport(row.Node, &r.Report)
		d.readReportCommunity(row.A, &r)
		r = r.complete()
		f.Reports = append(f.Reports, r)
		f.Members[r.Key] = int(row.Score)
		f.Ancestors[r.Key] = row.A.texts("ancestors")
	case "Mentioned", "Chunk":
		var c ChunkRow
		d.readChunk(row.Node, &c)
		d.readDocument(row.A, &c)
		if row.Kind == "Chunk" {
			f.Chunks = append(f.Chunks, c)
			return
		}
		f.Mentioned = append(f.Mentioned, c)
		f.Weights[c.Key] = row.Score
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

// entity returns the entity of a row.
func (r *neighborhoodRow) entity(d *decoder) (e graph.Entity) {
	d.readEntity(r.Node, &e)
	e.Description = r.description(e.Description)
	return e
}

// description returns the distinct descriptions of the mentions of a node, joined, or
// else the description of the node.
func (r *neighborhoodRow) description(stored string) string {
	var all []string
	for _, text := range r.Said {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return stored
	}
	return strings.Join(all, " ")
}
