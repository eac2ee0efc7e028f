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
	"github.com/neorag/neorag/internal/testkit/faulttest"
)

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
