package cli

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestServerFindings checks what doctor shows of servers that are not on this machine.
func TestServerFindings(t *testing.T) {
	t.Parallel()
	server := neo4jstore.ServerInfo{Version: "5.26.30", Edition: "enterprise", Address: "graph:7687", Database: "docs"}
	serverRow := finding{Check: "server", OK: true, Detail: "Neo4j 5.26.30 enterprise at graph:7687, database docs"}
	schema := finding{Check: "schema", OK: true, Detail: "constraints and indexes exist"}
	member := func(address, role, status string, writes bool) neo4jstore.Member {
		return neo4jstore.Member{Address: address, Role: role, Status: status, Writes: writes}
	}
	leader, follower := member("a:7687", "primary", "online", true), member("b:7687", "primary", "online", false)
	readOnly := finding{Check: "database", OK: true, Detail: "read-only: questions and exports work, `neorag index` does not", Hint: "to index, " + makeWritable}
	clock := "set both by a time server (NTP): if the clocks of the servers of a cluster differ, a run may be taken for ended when another server begins to lead the database"
	for name, tt := range map[string]struct {
		uri   string
		check neo4jstore.Check
		want  []finding
	}{
		"one server":          {"bolt://graph", neo4jstore.Check{Members: []neo4jstore.Member{leader}, ClockAhead: time.Second}, nil},
		"nothing is listed":   {"neo4j+s://graph", neo4jstore.Check{}, nil},
		"one read-only":       {"bolt://graph", neo4jstore.Check{Members: []neo4jstore.Member{follower}}, []finding{readOnly}},
		"a cluster":           {"neo4j://graph", neo4jstore.Check{Members: []neo4jstore.Member{leader, follower}}, []finding{{Check: "cluster", OK: true, Detail: "a:7687 (primary, writes), b:7687 (primary)"}}},
		"a member of it":      {"bolt+s://graph", neo4jstore.Check{Members: []neo4jstore.Member{leader, member("c:7687", "secondary", "online", false)}}, []finding{{Check: "cluster", OK: true, Detail: "a:7687 (primary, writes), c:7687 (secondary)", Hint: "an address with neo4j:// instead of bolt:// finds the server that writes when another one takes over"}}},
		"a member is offline": {"neo4j://graph", neo4jstore.Check{Members: []neo4jstore.Member{leader, member("b:7687", "", "starting", false)}}, []finding{{Check: "cluster", Detail: "a:7687 (primary, writes), b:7687 (starting)", Hint: "look at the logs of the server that is not online; until it is, the others answer"}}},
		"no member writes":    {"neo4j://graph", neo4jstore.Check{Members: []neo4jstore.Member{follower, follower}}, []finding{{Check: "cluster", OK: true, Detail: "b:7687 (primary), b:7687 (primary)"}, readOnly}},
		"a clock ahead":       {"bolt://graph", neo4jstore.Check{ClockAhead: 61 * time.Second}, []finding{{Check: "clock", OK: true, Detail: "the clock of the server is 1m1s ahead of the clock of this machine", Hint: clock}}},
		"a clock behind":      {"neo4j://graph", neo4jstore.Check{Members: []neo4jstore.Member{leader, follower}, ClockAhead: -1500 * time.Millisecond}, []finding{{Check: "cluster", OK: true, Detail: "a:7687 (primary, writes), b:7687 (primary)"}, {Check: "clock", Detail: "the clock of the server is 1.5s behind the clock of this machine", Hint: clock}}},
	} {
		tt.check.Server = server
		want := append([]finding{serverRow, schema}, tt.want...)
		if diff := cmp.Diff(want, serverFindings(tt.check, tt.uri, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestIndexNotOnline checks what doctor shows of an index where it is still populated.
func TestIndexNotOnline(t *testing.T) {
	t.Parallel()
	check := neo4jstore.Check{Corpora: []neo4jstore.CorpusIndexes{{Corpus: "main", Indexes: []neo4jstore.IndexState{
		{Name: "chunk_text_main", Type: "FULLTEXT", State: "ONLINE", PopulationPercent: 100},
		{Name: "chunk_main", Type: "VECTOR", State: "POPULATING", Dimension: 4, PopulationPercent: 61.5},
	}}}}
	found := serverFindings(check, "neo4j://graph", "main")
	want := finding{Check: "corpus main", Detail: "index chunk_main is POPULATING (62 %)", Hint: "wait until it is populated; the next `neorag index` or `neorag embed` rebuilds a failed index"}
	if diff := cmp.Diff(want, found[len(found)-1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
