package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// serverFindings reports on the server at an address, its schema, and the corpora, or the named
// one.
func serverFindings(check neo4jstore.Check, uri, corpus string) []finding {
	s := check.Server
	out := []finding{
		{Check: "server", OK: true, Detail: fmt.Sprintf("Neo4j %s %s at %s, database %s", s.Version, s.Edition, s.Address, s.Database)},
		schemaFinding(check),
	}
	if len(check.Members) > 1 {
		out = append(out, clusterFinding(check.Members, uri))
	}
	if check.ReadOnly() {
		out = append(out, finding{Check: "database", OK: true, Detail: "read-only: questions and exports work, `neorag index` does not", Hint: "to index, " + makeWritable})
	}
	if f, wrong := clockFinding(check); wrong {
		out = append(out, f)
	}
	if corpus != "" && len(check.Corpora) == 0 {
		out = append(out, finding{Check: "corpus " + corpus, Detail: "no such corpus", Hint: knownOf(neo4jstore.ErrNoCorpus).hint})
	}
	for _, c := range check.Corpora {
		f := finding{Check: "corpus " + c.Corpus, OK: true, Detail: fmt.Sprintf("%d indexes online", len(c.Indexes))}
		for _, ix := range c.Indexes {
			if ix.State != "ONLINE" {
				f.OK = false
				f.Detail = fmt.Sprintf("index %s is %s (%.0f %%)", ix.Name, ix.State, ix.PopulationPercent)
				f.Hint = "wait until it is populated; the next `neorag index` or `neorag embed` rebuilds a failed index"
			}
			if ix.Dimension > 0 && f.OK {
				f.Detail = fmt.Sprintf("%d indexes online, vectors of %d dimensions", len(c.Indexes), ix.Dimension)
			}
		}
		out = append(out, f)
	}
	return out
}

func schemaFinding(check neo4jstore.Check) finding {
	if len(check.Missing)+len(check.Different) == 0 {
		return finding{Check: "schema", OK: true, Detail: "constraints and indexes exist"}
	}
	if len(check.Corpora) == 0 && len(check.Different) == 0 {
		return finding{Check: "schema", OK: true, Detail: "nothing is indexed yet; the first `neorag index` creates it"}
	}
	return finding{
		Check: "schema", Detail: fmt.Sprintf("missing: %v; different: %v", check.Missing, check.Different),
		Hint: "the next `neorag index` creates what is missing and rebuilds the indexes of its corpus; drop what else is different",
	}
}

// clusterFinding reports on the servers of a cluster that have the database.
func clusterFinding(members []neo4jstore.Member, uri string) finding {
	f := finding{Check: "cluster", OK: true}
	if strings.HasPrefix(uri, "bolt") {
		f.Hint = "an address with neo4j:// instead of bolt:// finds the server that writes when another one takes over"
	}
	var all []string
	for _, m := range members {
		state := m.Role
		if m.Writes {
			state += ", writes"
		}
		if m.Status != "online" {
			state += ", " + m.Status
			f.OK, f.Hint = false, "look at the logs of the server that is not online; until it is, the others answer"
		}
		all = append(all, fmt.Sprintf("%s (%s)", m.Address, strings.TrimPrefix(state, ", ")))
	}
	f.Detail = strings.Join(all, ", ")
	return f
}

// maxClockDifference is how far clocks may differ.
const maxClockDifference = time.Second

// clockFinding reports a clock of the server that differs from the clock of this machine. It is a fault
// in a cluster, whose servers compare times of one another.
func clockFinding(check neo4jstore.Check) (f finding, wrong bool) {
	ahead := check.ClockAhead
	if ahead.Abs() <= maxClockDifference {
		return finding{}, false
	}
	direction := "ahead of"
	if ahead < 0 {
		direction = "behind"
	}
	return finding{
		Check: "clock", OK: len(check.Members) < 2, Detail: fmt.Sprintf("the clock of the server is %s %s the clock of this machine", ahead.Abs().Round(time.Second/10), direction),
		Hint: "set both by a time server (NTP): if the clocks of the servers of a cluster differ, a run may be taken for ended when another server begins to lead the database",
	}, true
}
