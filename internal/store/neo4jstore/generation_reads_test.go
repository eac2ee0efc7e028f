package neo4jstore_test

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A generationRead says how a statement that reads communities or reports is tested.
type generationRead struct {
	variants []map[string]any // parameters that differ from those of generationParams; nil for none
	byKey    bool             // it returns what its keys name: they are of the visible generation
	writer   string           // why its result may depend on hidden generations
	implied  []string         // halves of filters that other filters imply
	keys     string           // the parameter whose keys it reads; "" for communities
}

// halves returns the halves of the filters on variables. They are implied where another
// filter of the statement is narrower: a report is valid only while its community is, a
// community only while its edges are, and valid reports cite valid ones.
func halves(variables ...string) (all []string) {
	for _, v := range variables {
		all = append(all, v+".since", v+".until")
	}
	return all
}

// generationReads are the statements in read/ that read communities or reports.
func generationReads() map[string]generationRead {
	edges := []map[string]any{{"edges": false}, {"edges": true}}
	var names []map[string]any
	for _, name := range []string{"canaryone on c1_0", "canarytwo on c1_0", "canarythree on c1_0", "c0_10", "c0_20", "c0_30", "c0_40", "c1_2", "c1_33"} {
		names = append(names, map[string]any{"name": name, "keys": []string{}})
	}
	return map[string]generationRead{
		"chunk_communities":    {keys: "mentioning"},
		"closest_reports":      {variants: []map[string]any{{"scores": map[string]any{}}}},
		"communities":          {},
		"community_levels":     {},
		"community_members":    {byKey: true},
		"predecessors":         {writer: "the reports of communities that end are carried over"},
		"report_states":        {writer: "the fingerprint is that of the latest report"},
		"report_to_carry":      {writer: "the reports of communities that end are carried over", variants: []map[string]any{{"key": ""}}},
		"counts":               {},
		"default_label":        {},
		"default_reported":     {},
		"dump@Community":       {variants: edges, implied: halves("r")},
		"dump@Entity":          {variants: edges, implied: halves("n", "r", "m")}, // r implies m, and m implies r
		"dump_finding":         {variants: edges, implied: halves("k")},
		"dump_report":          {variants: edges, implied: halves("k")},
		"ended_communities":    {writer: "the sweep deletes what ended"},
		"ended_reports":        {writer: "the sweep deletes what ended"},
		"evidence":             {byKey: true, variants: []map[string]any{{"chunks": []string{}}}},
		"evidence_in_scope":    {byKey: true},
		"export_reports":       {},
		"failed":               {writer: "failures of the generation being written count"},
		"find_community":       {variants: names},
		"find_report":          {variants: names},
		"generation_rows":      {writer: "a new hierarchy is compared with all that is stored"},
		"hybrid":               {},
		"hybrid_in_scope":      {},
		"labelled_entities":    {},
		"made":                 {writer: "reports that an interrupted run wrote are kept too"},
		"neighborhood":         {implied: halves("i")},
		"pending":              {writer: "marks of the generation being written count"},
		"pending_embed_report": {writer: "reports are embedded before they are visible"},
		"pending_reports":      {writer: "marks belong to the generation being written", variants: []map[string]any{{"level": 0}, {"level": 1}}},
		"report_children":      {implied: halves("p", "k")},
		"report_levels":        {},
		"report_list":          {},
		"report_sizes":         {},
		"themes":               {},
		"report_texts":         {byKey: true, keys: "reports"},
		"report_texts_of_view": {},
		"reports_below":        {implied: halves("p", "c")},
		"reports_in_scope":     {},
		"reports_of":           {},
		"reports_of_view":      {},
		"search_terms":         {},
		"search_vector@Report": {},
		"unreported":           {implied: []string{"r.until"}},
	}
}

// generationParams are the parameters of all these statements, for a reader of the
// generation.
func (w *generationWorld) generationParams(generation int64) map[string]any {
	w.t.Helper()
	communities, entities := w.keys(max(1, generation)), w.members("abcdefghijklmnopqr")
	documents := []string{graph.DocumentKey(w.corpus, "a")}
	reports, err := w.store.ReportsOf(w.t.Context(), w.corpus, generation, communities)
	if err != nil {
		w.t.Fatal(err)
	}
	reportKeys := []string{}
	for _, report := range reports {
		reportKeys = append(reportKeys, report.Key)
	}
	none := []string{}
	members := []any{}
	for _, community := range communities {
		for _, entity := range entities {
			members = append(members, map[string]any{"community": community, "key": entity})
		}
	}
	return map[string]any{
		"members": members, "mentioning": w.chunks(),
		"corpus": w.corpus, "passage_index": "passage_" + w.corpus, "document_index": "document_" + w.corpus, "after": w.corpus + "/", "end": w.corpus + "0", "limit": 1000, "generation": generation, "level": 1,
		"communities": communities, "reports": reportKeys, "documents": documents, "entities": entities, "chunks": nil,
		"relationships": none, "claims": none, "passages": none, "findings": none, "queries": none, "texts": none, "found_chunks": none,
		"lucene": strings.Join(canaries[1:], " OR "), "kinds": []string{"Report", "Entity"}, "fetch": 1000, "vector": []float64{1, 1, 1, 1},
		"terms": "a", "pairs": "", "names": none, "term_hits": 1000, "vector_hits": 1000, "vector_fetch": 1000, "hashed": true,
		"max_relationships": 1000, "max_claims": 1000, "max_reports": 1000, "max_chunks": 1000, "max_mentions": 1000, "name": "",
		"searches": []any{map[string]any{"terms": "a", "kinds": []string{"Entity", "Relationship", "Claim"}}}, "entity_vector": []float64{1, 1, 1, 1},
		"relationship_vector": []float64{1, 1, 1, 1}, "retrieved": none, "max_neighbours": 1000, "weights": map[string]any{}, "similar": map[string]any{}, "question_terms": none,
	}
}
