package neo4jstore

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func dump(t *testing.T, s *Store, corpus, part string) string {
	t.Helper()
	var lines strings.Builder
	err := s.Dump(t.Context(), corpus, part, func(line []byte) error {
		lines.Write(line)
		lines.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines.String()
}

// goldenDump compares with a golden file, which NEORAG_UPDATE=1 rewrites.
func goldenDump(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("NEORAG_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func testDumpIsCanonical(t *testing.T, s *Store, corpus string) {
	all := dump(t, s, corpus, "")
	goldenDump(t, "reader.jsonl", all)
	evidence := dump(t, s, corpus, PartEvidence)
	goldenDump(t, "reader_evidence.jsonl", evidence)
	for line := range strings.Lines(all + evidence) {
		for _, trace := range []string{corpus, "until", "since", "gone", "generation", "/somewhere", "_error", "embedding\"", "gold", "gnew", "p1-2", "p0-1"} {
			if strings.Contains(line, trace) {
				t.Errorf("%q is in %s", trace, line)
			}
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// Generations, hashes of keys, run records and folders do not appear in a dump.
func TestDumpOfEqualGraphsIsEqual(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	other := neo4jtest.Borrow(t, "4")
	seedReader(t, s, other)
	runText(t, s, `
MATCH (p:Report {key: $corpus + '/p0-2'}) SET p.key = $corpus + '/zzz', p.since = 1
WITH p MATCH (p)-[:HAS_FINDING]->(f) SET f.key = $corpus + '/' + (100 - f.order)
WITH count(*) AS n MATCH (k:Corpus {key: $corpus}) SET k.generation = 2, k.next = 9, k.topology = 77, k.created = datetime('2001-01-01'), k.swept = 2
WITH k MATCH (d:Document {corpus: $corpus}) SET d.root = '/elsewhere'
WITH count(*) AS n MATCH (c:Chunk {key: $corpus + '/c3'}) SET c.extract_error = 'another reason'
WITH c MATCH (f:Finding {key: $corpus + '/99'}) MATCH (p:Report {key: $corpus + '/zzz'}) CREATE (f)-[:CITES {n: 5}]->(p)
WITH f MATCH (x {gone: $corpus}) DETACH DELETE x
WITH count(*) AS n MATCH (r:Run {corpus: $corpus}) DELETE r`, map[string]any{"corpus": other})
	for _, part := range []string{"", PartEvidence} {
		if diff := cmp.Diff(strings.Split(dump(t, s, corpus, part), "\n"), strings.Split(dump(t, s, other, part), "\n")); diff != "" {
			t.Errorf("part %q (-one +other):\n%s", part, diff)
		}
	}
}

func TestDumpShowsWhatDiffers(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	before := strings.Split(dump(t, s, corpus, ""), "\n")
	runText(t, s, "MATCH (:Chunk {key: $corpus + '/c1'})-[m:MENTIONS]->(:Entity {key: $corpus + '/marley'}) SET m.descriptions = ['Very dead.']", map[string]any{"corpus": corpus})
	after := strings.Split(dump(t, s, corpus, ""), "\n")
	changed := 0
	for _, line := range after {
		if !slices.Contains(before, line) {
			changed++
		}
	}
	if changed != 1 || len(before) != len(after) {
		t.Errorf("%d of %d lines changed, want 1 of %d", changed, len(after), len(before))
	}
}

// Nodes of several pages are in order, each once.
func TestDumpPages(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	runText(t, s, `
MATCH (g:Community {key: $corpus + '/g0'})
UNWIND range(1, 2500) AS i
CREATE (e:Entity {key: $corpus + '/n' + i, corpus: $corpus, name: 'n' + i})-[:IN_COMMUNITY {level: 0, since: 2}]->(g)`, map[string]any{"corpus": corpus})
	var nodes, edges []string
	for line := range strings.Lines(dump(t, s, corpus, "")) {
		var object struct{ Node, Key, Edge, From string }
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		switch {
		case object.Node == "Entity":
			nodes = append(nodes, object.Key)
		case object.Edge == "IN_COMMUNITY" && strings.HasPrefix(object.From, "n"):
			edges = append(edges, object.From)
		}
	}
	if len(nodes) != 2504 || !slices.IsSorted(nodes) {
		t.Errorf("%d entities, sorted: %t; want 2504 in order", len(nodes), slices.IsSorted(nodes))
	}
	if len(edges) != 2500 || len(slices.Compact(edges)) != 2500 {
		t.Errorf("%d edges, %d of them distinct; want 2500", len(edges), len(slices.Compact(edges)))
	}
}

func TestDumpFails(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	if err := s.Dump(t.Context(), corpus, "half", func([]byte) error { return nil }); err == nil {
		t.Error("an unknown part was dumped")
	}
	if err := s.Dump(t.Context(), neo4jtest.Corpus(t), "", func([]byte) error { return nil }); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("Dump of a missing corpus: %v, want ErrNoCorpus", err)
	}
	full := errors.New("disk full")
	if err := s.Dump(t.Context(), corpus, "", func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("Dump into a full disk: %v", err)
	}
	flipped := false
	err := s.Dump(t.Context(), corpus, "", func([]byte) error {
		if !flipped {
			flipped = true
			runText(t, s, "MATCH (k:Corpus {key: $corpus}) SET k.generation = 3", map[string]any{"corpus": corpus})
		}
		return nil
	})
	if !errors.Is(err, ErrMoved) {
		t.Errorf("Dump across a flip: %v, want ErrMoved", err)
	}
}
