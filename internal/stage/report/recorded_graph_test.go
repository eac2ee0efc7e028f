package report

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/text/tokens"
)

func counter(tb testing.TB) *tokens.Counter {
	tb.Helper()
	c, err := tokens.Get("")
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// A recordedUnit is a line of the recorded extraction of A Christmas Carol.
type recordedUnit struct {
	Entities      []graph.EntityRecord `json:"entities"`
	Relationships []struct {
		Source      string  `json:"source"`
		Target      string  `json:"target"`
		Description string  `json:"description"`
		Weight      float64 `json:"weight"`
	} `json:"relationships"`
	Claims []struct {
		Subject     string `json:"subject_id"`
		Object      string `json:"object_id"`
		Type        string `json:"type"`
		Status      string `json:"status"`
		Description string `json:"description"`
	} `json:"claims"`
}

// A recordedGraph is the graph of the recorded extraction, merged by name.
type recordedGraph struct {
	entities      map[string]graph.Entity
	relationships map[string]graph.Relationship
	claims        []graph.Claim
}

func readRecordedGraph(tb testing.TB) recordedGraph {
	tb.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(tb), "christmas-carol", "recorded-extraction.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	g := recordedGraph{entities: map[string]graph.Entity{}, relationships: map[string]graph.Relationship{}}
	key := func(name string) string { return graph.EntityKey("carol", strings.ToLower(name)) }
	named := func(name string) string {
		k := key(name)
		if _, ok := g.entities[k]; !ok {
			g.entities[k] = graph.Entity{Key: k, Name: name, Type: graph.TypeUnknown}
		}
		return k
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var u recordedUnit
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			tb.Fatal(err)
		}
		for _, e := range u.Entities {
			k := key(e.Name)
			if old := g.entities[k]; len(old.Description) < len(e.Description) {
				g.entities[k] = graph.Entity{Key: k, Name: e.Name, Type: strings.ToLower(e.Type), Description: e.Description}
			}
		}
		for _, r := range u.Relationships {
			a, b := named(r.Source), named(r.Target)
			if b < a {
				a, b = b, a
			}
			k := graph.RelationshipKey("carol", a, b)
			rel := g.relationships[k]
			rel.Key, rel.Source, rel.Target, rel.SourceName, rel.TargetName = k, a, b, g.entities[a].Name, g.entities[b].Name
			rel.Weight++
			if len(rel.Description) < len(r.Description) {
				rel.Description = r.Description
			}
			g.relationships[k] = rel
		}
		for _, c := range u.Claims {
			r := graph.ClaimRecord{Subject: c.Subject, Object: strings.TrimPrefix(c.Object, "NONE"), Type: c.Type, Status: c.Status, Description: c.Description}
			claim := graph.Claim{Key: graph.ClaimKey("carol", "carol/c", r), Subject: named(c.Subject), ClaimRecord: r}
			if r.Object != "" {
				claim.Object = named(r.Object)
			}
			g.claims = append(g.claims, claim)
		}
	}
	return g
}

// community returns the input of a report about the entities with in(key).
func (g recordedGraph) community(level int, in func(key string) bool) Input {
	var x Input
	for _, e := range g.entities {
		if in(e.Key) {
			x.Entities = append(x.Entities, e)
			x.Community.Members = append(x.Community.Members, e.Key)
		}
	}
	for _, r := range g.relationships {
		if in(r.Source) && in(r.Target) {
			x.Relationships = append(x.Relationships, r)
			x.Community.Weight += r.Weight
		}
	}
	for _, c := range g.claims {
		if in(c.Subject) {
			x.Claims = append(x.Claims, c)
		}
	}
	c, _ := tokens.Get("")
	for i := range x.Entities {
		x.Entities[i].NTokens = c.Count(x.Entities[i].Name + ": " + x.Entities[i].Description)
	}
	for i := range x.Relationships {
		r := &x.Relationships[i]
		r.NTokens = c.Count(r.SourceName + " — " + r.TargetName + ": " + r.Description)
	}
	for i := range x.Claims {
		x.Claims[i].NTokens = c.Count(x.Claims[i].Description)
	}
	slices.Sort(x.Community.Members)
	x.Community.Level = level
	x.Community.Key = graph.CommunityKey("carol", level, x.Community.Members)
	return x
}

// parts splits the graph by label propagation, which is good enough for this test.
func (g recordedGraph) parts() [][]string {
	neighbours := map[string]map[string]int{}
	for _, r := range g.relationships {
		for _, p := range [][2]string{{r.Source, r.Target}, {r.Target, r.Source}} {
			if neighbours[p[0]] == nil {
				neighbours[p[0]] = map[string]int{}
			}
			neighbours[p[0]][p[1]] += r.Weight
		}
	}
	label, size := map[string]string{}, map[string]int{}
	keys := make([]string, 0, len(neighbours))
	for k := range neighbours {
		keys = append(keys, k)
		label[k] = k
		size[k] = 1
	}
	slices.Sort(keys)
	for range 20 {
		for _, k := range keys {
			votes := map[string]float64{}
			for n, w := range neighbours[k] {
				votes[label[n]] += float64(w) / float64(5+size[label[n]])
			}
			best := label[k]
			for l, v := range votes {
				if v > votes[best] || v == votes[best] && l < best {
					best = l
				}
			}
			size[label[k]]--
			size[best]++
			label[k] = best
		}
	}
	of := map[string][]string{}
	for _, k := range keys {
		of[label[k]] = append(of[label[k]], k)
	}
	var out [][]string
	for _, members := range of {
		out = append(out, members)
	}
	slices.SortFunc(out, func(a, b []string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
	})
	return out
}

func member(of []string) func(string) bool {
	return func(k string) bool { return slices.Contains(of, k) }
}

// TestReportsOfRecordedGraph writes reports of a real graph and checks their structure. It
// measures no quality: nobody has judged the texts, which -v prints.
func TestReportsOfRecordedGraph(t *testing.T) {
	t.Parallel()
	g := readRecordedGraph(t)
	x := Extractive{Counter: counter(t)}
	root := g.community(0, func(string) bool { return true })
	for i, part := range g.parts() {
		in := g.community(1, member(part))
		in.Community.Final = true
		c := Pack(in, Options{}, x.Counter)
		r, err := x.Report(context.Background(), in, c)
		if err != nil {
			t.Fatal(err)
		}
		r.Key = graph.ReportKey("carol", in.Community.Key, 1)
		root.Children = append(root.Children, Child{Report: r, Members: part})
		if i < 8 || i%10 == 0 {
			kinds, sum := map[graph.Kind]int{}, 0
			for _, r := range c.Records {
				kinds[r.Kind]++
				sum += r.Tokens
			}
			t.Logf("%v estimate %d", kinds, sum)
			t.Logf("%d entities, %d relationships, %d claims, context %d tokens, %d left, report %d tokens\n%s\n%v", len(in.Entities), len(in.Relationships), len(in.Claims), c.Tokens, c.Left, r.NTokens, r.FullContent, len(r.References))
		}
		if err := checkReport(r, c); err != nil {
			t.Error(err)
		}
	}
	c := Pack(root, Options{}, x.Counter)
	r, err := x.Report(context.Background(), root, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkReport(r, c); err != nil {
		t.Error(err)
	}
	t.Logf("root: context %d tokens, %d left\n%s", c.Tokens, c.Left, r.FullContent)
}
