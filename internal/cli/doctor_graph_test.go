//go:build unix

package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A report of `doctor --graph --json`.
type graphReport struct {
	OK     bool `json:"ok"`
	Checks []struct {
		Corpus   string         `json:"corpus"`
		OK       bool           `json:"ok"`
		Detail   string         `json:"detail"`
		Hint     string         `json:"hint"`
		Repaired bool           `json:"repaired"`
		Problem  *index.Problem `json:"problem"`
	} `json:"checks"`
}

func (p *program) doctor(args ...string) (r graphReport, code int) {
	p.t.Helper()
	o := p.run(append([]string{"doctor", "--graph", "--json", "--corpus", p.corpus}, args...)...)
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		p.t.Fatalf("doctor %v: %v\n%s%s", args, err, o.stdout, o.stderr)
	}
	return r, o.code
}

// names returns the checks that found a problem which is left, or was repaired.
func (r graphReport) names(repaired bool) (names []string) {
	for _, c := range r.Checks {
		if c.Problem != nil && c.Repaired == repaired {
			names = append(names, c.Problem.Check)
		}
	}
	return names
}

// notRules are saved checks that show weak results, not damage, with the rule that
// finds what their breakage does to the graph.
var notRules = map[string]string{"duplicates": "", "orphans": "", "unsure": "", "poor": "degrees"}

// readsAgain are the checks whose damage only reading the documents repairs.
var readsAgain = []string{"incomplete", "order"}

// TestEveryDamageIsNamedAndRepaired damages a graph in every way that breakages knows.
// The doctor must name each, and after a repair, or after the run that it advises, the
// graph must be the one before. NEORAG_FAULTS=all repairs all of them, else the first of
// each of some checks.
func TestEveryDamageIsNamedAndRepaired(t *testing.T) {
	t.Parallel()
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "doctor.md"))
	if err != nil {
		t.Fatal(err)
	}
	untested := map[string]bool{}
	for _, q := range queries {
		check := path.Base(q.Name)
		if _, weak := notRules[check]; q.Category() != "checks" || weak {
			continue
		}
		untested[check] = true
		if !strings.Contains(string(page), "| `"+check+"` |") {
			t.Errorf("docs/doctor.md does not describe the check %s", check)
		}
	}
	checks, chosen := slices.Sorted(maps.Keys(untested)), map[string]bool{}
	for _, n := range faulttest.Points(t, len(checks), 6) {
		chosen[checks[n-1]] = true
	}
	p := programFor(t, neo4jtest.Server(t), "artifacts")
	docs := lastStave(t)
	levels := []string{"--max-community-size", "4"} // so that there are several levels
	run := append([]string{"index", "--offline", "--quiet", "--with", strings.Join(index.ArtifactNames(), ","), docs}, levels...)
	p.ok(run...)
	if r, code := p.doctor(); code != 0 || !r.OK {
		t.Fatalf("the doctor of an undamaged graph: exit %d, %+v", code, r)
	}
	want := p.dump()
	for _, b := range breakages {
		check := path.Base(b.query)
		if named, weak := notRules[check]; weak {
			check = named
		}
		if check == "" || !strings.HasPrefix(b.query, "checks/") {
			continue
		}
		if !untested[check] && !faulttest.All() {
			continue
		}
		delete(untested, check)
		if !chosen[check] {
			continue
		}
		p.cypher(b.statement, map[string]any{"corpus": p.corpus})
		found, code := p.doctor()
		if code != 1 || found.OK || !slices.Contains(found.names(false), check) {
			t.Errorf("%s: exit %d and %v, want 1 and %s named", b.statement, code, found.names(false), check)
		}
		repaired, code := p.doctor(append([]string{"--repair"}, levels...)...)
		how := "repaired"
		if left := repaired.names(false); len(left) > 0 {
			how = "repaired by the index run that the doctor advises"
			for _, c := range repaired.Checks {
				if c.Problem != nil && !c.Repaired && !strings.Contains(c.Hint, "neorag index") {
					t.Errorf("%s: %s is left with the advice %q", b.statement, c.Problem.Check, c.Hint)
				}
			}
			if code != 1 || slices.ContainsFunc(left, func(name string) bool { return !slices.Contains(readsAgain, name) }) {
				t.Errorf("%s: exit %d, left %v", b.statement, code, left)
			}
			p.ok(run...)
		} else if code != 0 || !slices.Contains(repaired.names(true), check) {
			t.Errorf("%s: exit %d, repaired %v, want 0 and %s", b.statement, code, repaired.names(true), check)
		}
		t.Logf("%-10s %-50s %.90s", check, how, b.statement)
		if r, code := p.doctor(); code != 0 {
			t.Errorf("%s: the doctor afterwards: exit %d, %v", b.statement, code, r.names(false))
		}
		if got := p.dump(); got != want {
			t.Errorf("%s: the graph is another one afterwards:", b.statement)
			checkSameDump(t, want, got)
			p.ok("remove", "--corpus", p.corpus, "--yes")
			p.ok(run...)
			want = p.dump()
		}
	}
	for check := range untested {
		t.Errorf("no breakage tests the check %s", check)
	}
}
