package neo4jstore_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/faulttest"
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

// generationFilter is the condition that a node or an edge is valid in a generation.
var generationFilter = regexp.MustCompile(`(\w+)\.since <= ([^\n]+?) AND (coalesce\(\w+\.until, 9007199254740992\) > (?:\$generation|g\b|coalesce\(k\.generation, 0\)))`)

// A mutant is a statement without one half of one of its generation filters.
type mutant struct{ half, text string }

// mutantsOf returns a text without each half of each filter, and without all halves of
// either kind.
func mutantsOf(text string) (all []mutant) {
	if generationFilter.MatchString(text) {
		all = append(all, mutant{"all since", generationFilter.ReplaceAllString(text, "$3")}, mutant{"all until", generationFilter.ReplaceAllString(text, "$1.since <= $2")})
	}
	for _, m := range generationFilter.FindAllStringSubmatchIndex(text, -1) {
		variable, until := text[m[2]:m[3]], text[m[6]:m[7]]
		all = append(all,
			mutant{variable + ".since", text[:m[0]] + until + text[m[1]:]},
			mutant{variable + ".until", text[:m[6]] + "true" + text[m[7]:]})
	}
	return all
}

// A generationStatement is a statement with what it returned to a reader.
type generationStatement struct {
	generationRead

	name, text string
	mutants    []mutant
	tried      []int        // mutants that run
	killed     map[int]bool // mutants whose result differed
}

// readsGenerations matches statements that generationReads has to list.
var readsGenerations = regexp.MustCompile(`Community|Report|IN_COMMUNITY|HAS_REPORT|\.since|e\.communities`)

func generationStatements(t *testing.T, corpus string) []*generationStatement {
	t.Helper()
	all, err := cypher.All()
	if err != nil {
		t.Fatal(err)
	}
	reads := generationReads()
	listed, used := map[string]bool{}, map[string]bool{}
	for name := range reads {
		file, _, _ := strings.Cut(name, "@")
		listed[file] = true
	}
	var statements []*generationStatement
	for _, st := range all {
		name, ok := strings.CutPrefix(string(st), "read/")
		file, _, _ := strings.Cut(name, "@")
		text, err := st.Text(corpus)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || !readsGenerations.MatchString(text) {
			continue
		}
		if !listed[file] {
			t.Errorf("%s reads communities or reports, and generationReads does not list it", st)
		}
		read, ok := reads[name]
		if !ok {
			continue // for a kind that has no edges to communities
		}
		used[name] = true
		// All parents, not the first of them: which one that is would be chance.
		text = strings.ReplaceAll(text, "head(COLLECT {", "(COLLECT {")
		s := &generationStatement{generationRead: read, name: string(st), text: text, mutants: mutantsOf(text), killed: map[int]bool{}}
		if found, want := len(generationFilter.FindAllString(text, -1)), strings.Count(text, ".since <="); found != want {
			t.Errorf("%s: %d filters of generations are recognised, want %d", st, found, want)
		}
		statements = append(statements, s)
	}
	for name := range reads {
		if !used[name] {
			t.Errorf("generationReads lists %q, which reads neither communities nor reports", name)
		}
	}
	return statements
}

// changing are the properties that depend on hidden generations: when the visible one
// ends, what a community gets with the flip, marks, and scores of the full-text index, which
// counts hidden reports.
var changing = regexp.MustCompile(`^(since|until|gone|next_ordinal|next_label|report_fp|score|todo_.*|.*_error)$`)

// canonical returns rows as sorted JSON without changing properties.
func canonical(v any) any {
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		for name, value := range v {
			if v[name] = canonical(value); changing.MatchString(name) {
				delete(v, name)
			}
		}
		return v
	case neo4j.Node:
		return canonical(v.Props)
	case neo4j.Relationship:
		return canonical(v.Props)
	case neo4j.Path:
		var all []any
		for _, n := range v.Nodes {
			all = append(all, n)
		}
		for _, r := range v.Relationships {
			all = append(all, r)
		}
		return canonical(all)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = canonical(v[i])
		}
		slices.SortFunc(out, func(a, b any) int { return cmp.Compare(asJSON(a), asJSON(b)) })
		return out
	}
	return v
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// A generationReader runs statements as a reader of a generation does.
type generationReader struct {
	t          *testing.T
	w          *generationWorld
	session    neo4j.SessionWithContext
	statements []*generationStatement
}

func newGenerationReader(t *testing.T, w *generationWorld, statements []*generationStatement) generationReader {
	t.Helper()
	driver := driver(t)
	session := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j", AccessMode: neo4j.AccessModeRead})
	t.Cleanup(func() { _, _ = session.Close(context.Background()), driver.Close(context.Background()) })
	return generationReader{t, w, session, statements}
}

// run returns what a text returns with all variants of the statement's parameters.
func (r generationReader) run(s *generationStatement, text string, params map[string]any) string {
	r.t.Helper()
	var lines []string
	for i := range max(1, len(s.variants)) {
		params := maps.Clone(params)
		params["keys"] = params[cmp.Or(s.keys, "communities")]
		if len(s.variants) > 0 {
			maps.Copy(params, s.variants[i])
		}
		packed, all := cypher.Pack(text, params) // which needs one plan whatever the types of parameters
		result, err := r.session.Run(r.t.Context(), packed, all)
		if err != nil {
			r.t.Fatalf("%s: %v\n%s", s.name, err, text)
		}
		records, err := result.Collect(r.t.Context())
		if err != nil {
			r.t.Fatalf("%s: %v\n%s", s.name, err, text)
		}
		for _, record := range records {
			lines = append(lines, strconv.Itoa(i)+" "+asJSON(canonical(record.AsMap())))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// read returns the result of each statement. Other generations may be stored as well,
// which the given half of a filter hides: mutants without it whose results differ are
// killed.
func (r generationReader) read(generation int64, half string) map[string]string {
	r.t.Helper()
	params := r.w.generationParams(generation)
	results := map[string]string{}
	for _, s := range r.statements {
		results[s.name] = r.run(s, s.text, params)
		for _, i := range s.tried {
			m := s.mutants[i]
			if half != "" && strings.HasSuffix(m.half, half) && !s.killed[i] {
				s.killed[i] = r.run(s, m.text, params) != results[s.name]
			}
		}
	}
	return results
}

// compare fails for readers whose result depends on hidden generations.
func (r generationReader) compare(state string, want, got map[string]string, keyed bool) {
	r.t.Helper()
	for _, s := range r.statements {
		if s.writer != "" || s.byKey && !keyed {
			continue
		}
		if diff := gocmp.Diff(strings.Split(want[s.name], "\n"), strings.Split(got[s.name], "\n")); diff != "" {
			r.t.Errorf("%s, %s: the result depends on a generation that is not visible (-want +got):\n%s", s.name, state, diff)
		}
	}
}

// TestReadersSeeOneGeneration runs every statement in read/ that reads communities or
// reports, while generations are stored that are not visible: one that is being written,
// and one that ended and is not swept. The result must be the one without them. Then it
// runs the statement without each half of each of its filters, or without some of them: a
// filter whose removal changes no result is tested by nothing.
func TestReadersSeeOneGeneration(t *testing.T) {
	t.Parallel()
	w := newGenerationWorld(t)
	r := newGenerationReader(t, w, generationStatements(t, w.corpus))
	mutants := sampleMutants(t, r.statements)

	nothing := r.read(0, "")
	w.begin(1)
	r.compare("while the first generation is written", nothing, r.read(0, "since"), false)
	w.flip(1)
	w.begin(2)
	w.flip(2)
	unswept := r.read(2, "until")
	w.sweep(2)
	want := r.read(2, "")
	r.compare("before the sweep", want, unswept, true)
	w.begin(3)
	r.compare("while the third generation is written", want, r.read(2, "since"), true)
	w.flip(3)
	w.begin(4)
	w.flip(4)
	unswept = r.read(4, "until")
	w.sweep(4)
	r.compare("before the sweep, without reports", r.read(4, ""), unswept, true)

	for _, s := range r.statements {
		if s.writer == "" && want[s.name] == "" {
			t.Errorf("%s returns nothing, which proves nothing", s.name)
		}
		var implied, survived []string
		for _, i := range s.tried {
			half := s.mutants[i].half
			if slices.Contains(s.implied, half) {
				implied = append(implied, half)
			}
			if !s.killed[i] {
				survived = append(survived, half)
			}
		}
		if diff := gocmp.Diff(implied, survived); diff != "" {
			t.Errorf("%s: halves of filters that change no result (-want +got):\n%s", s.name, diff)
		}
	}
	t.Logf("%d statements, %d halves of filters", len(r.statements), mutants)
}

// sampleMutants chooses the mutants that run, and returns their number.
func sampleMutants(t *testing.T, statements []*generationStatement) int {
	t.Helper()
	var all []func()
	for _, s := range statements {
		for i := range s.mutants {
			all = append(all, func() { s.tried = append(s.tried, i) })
		}
	}
	chosen := faulttest.Points(t, len(all), 10)
	for _, place := range chosen {
		all[place-1]()
	}
	return len(chosen)
}
