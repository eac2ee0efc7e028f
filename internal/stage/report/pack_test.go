package report

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
)

func entityKey(i int) string { return fmt.Sprintf("t/e%02d", i) }

func edge(a, b int, description string) graph.Relationship {
	if b < a {
		a, b = b, a
	}
	return graph.Relationship{
		Key: graph.RelationshipKey("t", entityKey(a), entityKey(b)), Source: entityKey(a), Target: entityKey(b),
		SourceName: fmt.Sprintf("Name %d", a), TargetName: fmt.Sprintf("Name %d", b), Description: description, Weight: 1,
	}
}

// drawInput draws a community of up to 14 entities, with or without children.
func drawInput(t *rapid.T) Input {
	n := rapid.IntRange(0, 14).Draw(t, "entities")
	text := rapid.StringMatching(`([A-Z][a-z]{2,8}( [a-z]{2,9}){2,9}[.!?] ?){0,4}(\[3\])?`)
	var in Input
	for i := range n {
		in.Entities = append(in.Entities, graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i), Type: rapid.SampledFrom([]string{"person", "concept", "unknown"}).Draw(t, "type"), Description: text.Draw(t, "description")})
		in.Community.Members = append(in.Community.Members, entityKey(i))
		for k := range rapid.IntRange(0, 2).Draw(t, "claims") {
			c := graph.ClaimRecord{Subject: fmt.Sprintf("Name %d", i), Type: "some fact", Status: "TRUE", Description: text.Draw(t, "claim")}
			in.Claims = append(in.Claims, graph.Claim{Key: fmt.Sprintf("t/c%d.%d", i, k), Subject: entityKey(i), ClaimRecord: c})
		}
		for j := range i {
			if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				in.Relationships = append(in.Relationships, edge(j, i, text.Draw(t, "description")))
			}
		}
	}
	in.Community.Key = graph.CommunityKey("t", 0, in.Community.Members)
	in.Community.Weight = len(in.Relationships)
	if n > 3 && rapid.Bool().Draw(t, "children") {
		at := rapid.IntRange(1, n-1).Draw(t, "cut")
		in.Children = []Child{drawChild(t, in.Community.Members[:at], text), drawChild(t, in.Community.Members[at:], text)}
	}
	return in
}

func drawChild(t *rapid.T, members []string, text *rapid.Generator[string]) Child {
	r := graph.Report{
		Key: graph.Key("t", "report of "+members[0]), Community: graph.CommunityKey("t", 1, members), Title: "Child of " + members[0],
		Summary:    "First the child says one thing [1]. " + text.Draw(t, "summary") + " Then it goes on [2][3].",
		Findings:   []graph.Finding{{Summary: "Heading", Explanation: "The finding stands on its own [1]!"}},
		References: []graph.Reference{{N: 1, Kind: graph.KindEntity, Key: members[0]}, {N: 2, Kind: graph.KindClaim, Key: "t/c9"}, {N: 3, Kind: graph.KindReport, Key: "t/grandchild"}},
	}
	r.FullContent = Markdown(r)
	return Child{Report: r, Members: members}
}

func shuffled(in Input, seed uint64) Input {
	r := rand.New(rand.NewPCG(seed, 1))
	in.Entities, in.Relationships, in.Claims, in.Children = slices.Clone(in.Entities), slices.Clone(in.Relationships), slices.Clone(in.Claims), slices.Clone(in.Children)
	r.Shuffle(len(in.Entities), func(i, j int) { in.Entities[i], in.Entities[j] = in.Entities[j], in.Entities[i] })
	r.Shuffle(len(in.Relationships), func(i, j int) {
		in.Relationships[i], in.Relationships[j] = in.Relationships[j], in.Relationships[i]
	})
	r.Shuffle(len(in.Claims), func(i, j int) { in.Claims[i], in.Claims[j] = in.Claims[j], in.Claims[i] })
	r.Shuffle(len(in.Children), func(i, j int) { in.Children[i], in.Children[j] = in.Children[j], in.Children[i] })
	return in
}

func TestPackAndReportProperties(t *testing.T) {
	t.Parallel()
	n := counter(t)
	rapid.Check(t, func(rt *rapid.T) {
		in := drawInput(rt)
		o := Options{ContextTokens: rapid.IntRange(1, 700).Draw(rt, "limit")}
		c := Pack(in, o, n)
		if got := n.Count(c.Text); got > o.ContextTokens || got != c.Tokens {
			rt.Fatalf("the context has %d tokens, but Tokens is %d and the limit %d", got, c.Tokens, o.ContextTokens)
		}
		for _, r := range c.Records {
			if c.References[r.Local] != r.Key || !strings.Contains(c.Text, r.Text) {
				rt.Fatalf("record %+v is not in the context", r.Local)
			}
		}
		x := Extractive{Counter: n}
		report, err := x.Report(context.Background(), in, c)
		if err != nil {
			rt.Fatal(err)
		}
		if err := checkReport(report, c); err != nil {
			rt.Fatal(err)
		}
		other := shuffled(in, rapid.Uint64().Draw(rt, "seed"))
		again := Pack(other, o, n)
		if again.Text != c.Text || again.Fingerprint != c.Fingerprint {
			rt.Fatalf("the order of the input changes the context:\n%s", cmp.Diff(c.Text, again.Text))
		}
		report2, _ := x.Report(context.Background(), other, again)
		if diff := cmp.Diff(report, report2); diff != "" {
			rt.Fatalf("the order of the input changes the report (-first +shuffled):\n%s", diff)
		}
	})
}

// TestAllEdgesCompete packs a complete graph: all edges are in the context, not just
// one per entity.
func TestAllEdgesCompete(t *testing.T) {
	t.Parallel()
	var in Input
	for i := range 6 {
		in.Entities = append(in.Entities, graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i)})
		for j := range i {
			in.Relationships = append(in.Relationships, edge(j, i, fmt.Sprintf("edge %d to %d", j, i)))
		}
	}
	c := Pack(in, Options{}, counter(t))
	for _, r := range in.Relationships {
		if !strings.Contains(c.Text, r.Description) {
			t.Errorf("%q is missing", r.Description)
		}
	}
	if c.Left != 0 {
		t.Errorf("left %d, want 0", c.Left)
	}
}

func TestLeafOrder(t *testing.T) {
	t.Parallel()
	in := Input{Relationships: []graph.Relationship{edge(0, 1, "low"), edge(1, 2, "high"), edge(2, 3, "mid"), edge(2, 4, "mid too")}}
	for i := range 6 { // the last has no edge
		in.Entities = append(in.Entities, graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i)})
	}
	in.Claims = []graph.Claim{{Key: "t/claim", Subject: entityKey(2), ClaimRecord: graph.ClaimRecord{Subject: "Name 2", Description: "claimed"}}}
	var got []string
	for _, r := range Pack(in, Options{}, counter(t)).Records {
		got = append(got, fmt.Sprintf("%s %d %s", r.Kind, r.N, r.name+r.body))
	}
	mids := []string{"mid", "mid too"}
	if graph.RelationshipKey("t", entityKey(2), entityKey(4)) < graph.RelationshipKey("t", entityKey(2), entityKey(3)) {
		slices.Reverse(mids)
	}
	order := map[string][2]string{"mid": {"Name 3", "Name 4"}, "mid too": {"Name 4", "Name 3"}}[mids[0]]
	want := []string{
		"Entity 1 Name 1", "Entity 2 Name 2", "Entity 3 " + order[0], "Entity 4 " + order[1], "Entity 5 Name 0", "Entity 6 Name 5",
		"Relationship 1 high", "Relationship 2 " + mids[0], "Relationship 3 " + mids[1], "Relationship 4 low", "Claim 1 claimed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// twoChildren returns a community of a large and a small child with an edge between.
func twoChildren() Input {
	long := strings.Repeat("A long description goes on and on. ", 10)
	in := Input{Relationships: []graph.Relationship{edge(0, 1, "inside large"), edge(1, 2, "between"), edge(2, 3, "inside small")}}
	for i := range 4 {
		e := graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i), Description: "Short."}
		if i < 2 {
			e.Description = long
		} else {
			e.Description = long[:len(long)/2]
		}
		in.Entities = append(in.Entities, e)
	}
	report := func(name, cites string) graph.Report {
		return graph.Report{
			Key: "t/" + name + "7", Community: "t/" + name, Title: name, FullContent: "# " + name + "\n\nIt is so [1].",
			References: []graph.Reference{{N: 1, Kind: graph.KindEntity, Key: cites}},
		}
	}
	in.Children = []Child{
		{Report: report("small", entityKey(2)), Members: []string{entityKey(2), entityKey(3)}},
		{Report: report("large", entityKey(0)), Members: []string{entityKey(0), entityKey(1)}},
	}
	return in
}

func TestSubstitution(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		limit   int
		want    []string
		wantNot []string
	}{
		{"all fits", 8000, []string{"inside large", "between", "inside small"}, []string{"Report 1"}},
		{"the largest gives way", 240, []string{"# large", "between", "inside small", "[Data: Entities (3)]"}, []string{"inside large", "# small"}},
		{"all give way", 120, []string{"# large", "# small", "between", "[Data: Entities (1)]", "[Data: Entities (2)]"}, []string{"inside"}},
		{"reports alone are too much", 65, []string{"# large"}, []string{"# small", "between"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := Pack(twoChildren(), Options{ContextTokens: tc.limit}, counter(t))
			for _, w := range tc.want {
				if !strings.Contains(c.Text, w) {
					t.Errorf("%q is missing in\n%s", w, c.Text)
				}
			}
			for _, w := range tc.wantNot {
				if strings.Contains(c.Text, w) {
					t.Errorf("%q is in\n%s", w, c.Text)
				}
			}
		})
	}
}

// TestFingerprint checks that a fingerprint covers what an author reads, and nothing else:
// a model reads the context, a report without a model is also named and rated.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	client, err := openai.New(openai.Config{BaseURL: "http://127.0.0.1:1", Model: "m"}) // never asked
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	authors := map[string]interface {
		Reads(Input, Context) string
	}{
		"model":           &Model{Counter: counter(t), Chat: llm.New(llm.Config{Provider: client.Chat()})},
		"without a model": Extractive{Counter: counter(t)},
		"context":         nil,
	}
	of := func(author string, change func(*Input)) string {
		in := twoChildren()
		in.Children[0].Label, in.Children[1].Label = "C1_0", "C1_1"
		change(&in)
		c := Pack(in, Options{ContextTokens: 240}, counter(t))
		if authors[author] == nil {
			return c.Reads
		}
		return authors[author].Reads(in, c)
	}
	const nobody, extractive, all = 0, 1, 2
	for name, tt := range map[string]struct {
		change func(*Input)
		reads  int
	}{
		"ordinal":                 {func(in *Input) { in.Community.Ordinal, in.Community.Label = 7, "C0_7" }, nobody},
		"final":                   {func(in *Input) { in.Community.Final = true }, extractive},
		"generation of a child":   {func(in *Input) { in.Children[1].Report.Key = "t/large8" }, nobody},
		"members of a child":      {func(in *Input) { in.Children[1].Report.Community = "t/other" }, nobody},
		"degree elsewhere":        {func(in *Input) { in.Entities[0].Degree = 99 }, nobody},
		"a replaced description":  {func(in *Input) { in.Entities[0].Description += " More." }, nobody},
		"frequency of a neighbor": {func(in *Input) { in.Entities[2].Frequency = 4 }, nobody},
		"weight":                  {func(in *Input) { in.Community.Weight++ }, extractive},
		"size":                    {func(in *Input) { in.Community.Members = append(in.Community.Members, "t/more") }, extractive},
		"a claim":                 {func(in *Input) { in.Claims = append(in.Claims, graph.Claim{Key: "t/c", Subject: entityKey(0)}) }, extractive},
		"a title name":            {func(in *Input) { in.Entities[1].Name = "Other" }, extractive},
		"a shown description":     {func(in *Input) { in.Entities[3].Description += " More." }, all},
		"a child's text":          {func(in *Input) { in.Children[1].Report.FullContent += " More." }, all},
		"a child's label":         {func(in *Input) { in.Children[1].Label = "C1_2" }, all},
		"what a child cites":      {func(in *Input) { in.Children[1].Report.References[0].Key = entityKey(1) }, all},
	} {
		for author, level := range map[string]int{"model": all, "context": all, "without a model": extractive} {
			want := tt.reads >= level
			if changes := of(author, tt.change) != of(author, func(*Input) {}); changes != want {
				t.Errorf("%s: the fingerprint of %s changes: %v, want %v", name, author, changes, want)
			}
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var in Input
			r := rand.New(rand.NewPCG(1, 2))
			for i := range n {
				in.Entities = append(in.Entities, graph.Entity{Key: fmt.Sprintf("t/e%06d", i), Name: fmt.Sprintf("Name %d", i), Description: "A description of some words.", NTokens: 40})
			}
			for i := range 3 * n {
				a, c := in.Entities[r.IntN(n)], in.Entities[r.IntN(n)]
				in.Relationships = append(in.Relationships, graph.Relationship{Key: fmt.Sprintf("t/r%06d", i), Source: a.Key, Target: c.Key, Description: "They met.", NTokens: 20})
			}
			c := counter(b)
			b.ReportAllocs()
			for b.Loop() {
				Pack(in, Options{}, c)
			}
		})
	}
}

// TestPackCountsOnce checks that packing takes linear time: four times as many records
// take about four times the memory, not sixteen times.
func TestPackCountsOnce(t *testing.T) {
	work := func(n int) float64 {
		var in Input
		in.Community.Key = "t/c"
		for i := range n {
			in.Entities = append(in.Entities, graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i), Type: "person", Description: "Somebody who is told of in some words."})
			in.Community.Members = append(in.Community.Members, entityKey(i))
			if i > 0 {
				in.Relationships = append(in.Relationships, edge(i-1, i, "They met."))
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if c := Pack(in, Options{ContextTokens: 1 << 20}, counter(t)); len(c.Records) != 2*n-1 {
			t.Fatalf("%d of %d records fit", len(c.Records), 2*n-1)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	work(10)
	if small, large := work(250), work(1000); large > 8*small {
		t.Errorf("1,000 entities take %.0f bytes, 250 take %.0f: want less than eight times as many", large, small)
	}
}
