package index

import (
	"regexp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// rules are ordered from the documents to what is derived from them.
var rules = []rule{
	{"pending", "stages have work left", "stage", nil},
	{"failed", "nodes could not be processed", "reason", nil},
	{"incomplete", "documents are incomplete", "document", repairDocuments},
	{"order", "chunks are not linked in the order of their document", "chunk", repairOrder},
	{"unfindable", "nodes are not covered by the indexes of the corpus", "name", repairUnfindable},
	{"stray", "nodes or edges belong to nothing", "name", repairStray},
	{"ends", "relationships or claims lack an end", "name", repairEnds},
	{"quotes", "claims quote words that are not in the text", "claim", repairQuotes},
	{"weights", "relationships do not agree with their mentions or with their edges", "relationship", repairWeights},
	{"degrees", "entities do not agree with their mentions or with their edges", "entity", repairDegrees},
	{"vectors", "nodes have no vector", "name", repairVectors},
	{"sentences", "sentences are not complete", "name", redoAll(graph.KindChunk, "sentences")},
	{"synonyms", "entities lack their synonyms", "name", redoAll(graph.KindEntity, "synonyms")},
	{"document_links", "documents lack edges to similar ones", "name", redoAll(graph.KindDocument, "documents")},
	{"queries", "question-answer pairs are not complete", "name", repairQueries},
	{"memberships", "communities do not agree with their members", "community", repairMembers},
	{"reports", "communities lack a complete report", "community", redoAll(graph.KindCommunity, "report")},
	{"labels", "entities do not have the labels of their communities", "entity", repairLabels},
	{"leftovers", "communities or reports ended and were not deleted", "name", repairLeftovers},
}

func key(corpus string, row neo4jstore.CheckRow) string { return graph.Key(corpus, row.Text("id")) }

// redo marks a node for a stage.
func redo(d *neo4jstore.Damage, kind graph.Kind, stage, key string) {
	if d.Redo == nil {
		d.Redo = map[neo4jstore.MarkedKind][]string{}
	}
	k := neo4jstore.MarkedKind{Kind: kind, Stage: stage}
	d.Redo[k] = append(d.Redo[k], key)
}

// redoAll returns a repair that marks all nodes of a kind for a stage.
func redoAll(kind graph.Kind, stage string) func(string, []neo4jstore.CheckRow, *neo4jstore.Damage) {
	return func(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
		for _, row := range rows {
			redo(d, kind, stage, key(corpus, row))
		}
	}
}

// add appends a key to the list of a kind.
func add(lists *map[graph.Kind][]string, kind graph.Kind, key string) {
	if *lists == nil {
		*lists = map[graph.Kind][]string{}
	}
	(*lists)[kind] = append((*lists)[kind], key)
}

func repairDocuments(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		if row.Flag("finished") {
			d.Documents = append(d.Documents, key(corpus, row))
		}
	}
}

func repairOrder(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		documents := row.Texts("of")
		if len(documents) == 0 {
			d.Chunks = append(d.Chunks, key(corpus, row))
		}
		for _, document := range documents {
			d.Documents = append(d.Documents, graph.Key(corpus, document))
		}
	}
}

func repairUnfindable(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		add(&d.Unfindable, graph.Kind(row.Text("kind")), key(corpus, row))
	}
}

func repairStray(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		if row.Text("kind") == "edge" {
			d.StrayEdges = append(d.StrayEdges, neo4jstore.StrayEdge{Source: key(corpus, row), Key: row.Text("edge")})
			continue
		}
		add(&d.Stray, graph.Kind(row.Text("kind")), key(corpus, row))
	}
}

func repairEnds(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		ends := row.Whole("sources_or_subjects") == 1
		if row.Text("kind") == "claim" {
			d.Claims = append(d.Claims, key(corpus, row))
		} else if ends = ends && row.Whole("targets") == 1; ends {
			redo(d, graph.KindRelationship, "derive", key(corpus, row))
		} else {
			d.Relationships = append(d.Relationships, key(corpus, row))
		}
		d.ExtractAll = d.ExtractAll || row.Whole("chunks") == 0
	}
}

func repairQuotes(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		d.Claims = append(d.Claims, key(corpus, row))
	}
}

// repairWeights has every chunk extracted again if a relationship has fewer mentions than
// it was derived from, because the chunk that lost one is not known.
func repairWeights(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		d.Edges = append(d.Edges, key(corpus, row))
		redo(d, graph.KindRelationship, "derive", key(corpus, row))
		redo(d, graph.KindRelationship, "describe", key(corpus, row))
		d.ExtractAll = d.ExtractAll || row.Whole("counted") < row.Whole("weight") || row.Whole("summed") < row.Whole("strength")
	}
}

// repairDegrees has every chunk extracted again for the same reason as repairWeights.
func repairDegrees(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		redo(d, graph.KindEntity, "derive", key(corpus, row))
		d.ExtractAll = d.ExtractAll || row.Whole("mentions") < row.Whole("frequency")
	}
}

func repairVectors(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	kinds := map[string]graph.Kind{"chunk": graph.KindChunk, "entity": graph.KindEntity, "relationship": graph.KindRelationship, "report": graph.KindReport, "sentence": graph.KindSentence}
	for _, row := range rows {
		redo(d, kinds[row.Text("kind")], "embed", key(corpus, row))
	}
}

// repairQueries marks the chunks of incomplete pairs, and pairs that lack neighbours.
func repairQueries(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		if row.Text("kind") == "Chunk" {
			redo(d, graph.KindChunk, "queries", key(corpus, row))
		} else {
			redo(d, graph.KindQuery, "link", key(corpus, row))
		}
	}
}

func repairMembers(_ string, _ []neo4jstore.CheckRow, d *neo4jstore.Damage) { d.Recluster = true }

var communityLabel = regexp.MustCompile(`^C[0-9]+_[0-9]+$`)

func repairLabels(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	for _, row := range rows {
		labels := row.Texts("labelled")
		for _, label := range row.Texts("labels") {
			if communityLabel.MatchString(label) {
				labels = append(labels, label)
			}
		}
		d.Labels = append(d.Labels, neo4jstore.EntityLabels{Key: key(corpus, row), Labels: labels})
	}
}

func repairLeftovers(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage) {
	kinds := map[string]graph.Kind{"community": graph.KindCommunity, "report": graph.KindReport}
	for _, row := range rows {
		add(&d.Ended, kinds[row.Text("kind")], key(corpus, row))
	}
}
