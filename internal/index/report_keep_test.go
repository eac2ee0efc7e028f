package index_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// TestParseRewrite checks the values of --rewrite-reports, among them the former name of the
// limit.
func TestParseRewrite(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]index.Rewrite{
		"": {}, "changed": {}, "always": {Always: true}, "stale=0.1": {Stale: .1}, "drift=0.1": {Stale: .1},
	} {
		if got, err := index.ParseRewrite(value); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", value, got, err)
		}
	}
	for _, value := range []string{"never", "stale=0", "stale=1", "stale=drift=0.1", "0.1"} {
		if got, err := index.ParseRewrite(value); err == nil {
			t.Errorf("%q: got %+v", value, got)
		}
	}
}

// communityOf returns the community of level 0 with a member, and its report.
func communityOf(t *testing.T, store *neo4jstore.Store, corpus, member string) (graph.Community, graph.Report) {
	t.Helper()
	communities, reports := reportsOf(t, store, corpus)
	for _, c := range communities {
		for _, m := range c.Members {
			if c.Level == 0 && strings.Contains(graph.Local(m), member) {
				return c, reports[c.Key]
			}
		}
	}
	t.Fatalf("no community has %s", member)
	return graph.Community{}, graph.Report{}
}

// TestReportsFollowTheWords changes a community without changing what its report is
// written from: the report is carried over, and only what it says of the community is new.
func TestReportsFollowTheWords(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	base := circles(6)
	// Samuel and Edith have the most relationships, so that theirs comes first.
	base["extra.txt"] = "Xena Moor met Samuel Moor. Yara Moor met Samuel Moor. Wanda Moor met Edith Moor."
	base["vera.txt"] = "Vera Moor met Edith Moor."
	again := "Paul Lund met Rita Lund. Rita Lund met Sven Lund. Sven Lund met Paul Lund. Olga Lund met Paul Lund."
	base["again.txt"] = again
	for name, tt := range map[string]struct {
		context  int    // tokens
		member   string // of the community
		add      string // a document
		remove   string // a document, by name
		rewrite  index.Rewrite
		comes    int // new members
		rewrites bool
		stale    bool
	}{
		"the same is said again":              {member: "paul lund", add: again},
		"a member comes that does not fit":    {context: 60, add: "Zora Moor met Clara Moor.", comes: 1},
		"a member comes":                      {add: "Zora Moor met Clara Moor.", comes: 1, rewrites: true},
		"always":                              {member: "paul lund", add: again, rewrite: index.Rewrite{Always: true}, rewrites: true},
		"a member comes, and little is new":   {add: "Zora Moor met Clara Moor.", rewrite: index.Rewrite{Stale: .5}, comes: 1, stale: true},
		"a member comes, and too much is new": {add: "Zora Moor met Clara Moor.", rewrite: index.Rewrite{Stale: .01}, comes: 1, rewrites: true},
		"a document goes":                     {remove: "vera.txt", rewrite: index.Rewrite{Stale: .9}, comes: -1, rewrites: true},
		"nothing is new":                      {member: "paul lund", add: again, rewrite: index.Rewrite{Stale: .01}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var written atomic.Int64
			server, with := model(t, llmtest.Options{Handler: numberedReports(&written)}, "")
			o := with(options(modelCorpus(t)))
			o.Model.Claims, o.FreshShare = extract.ClaimsNone, -1
			o.Community.Leiden.MaxSize, o.Report.ContextTokens, o.Rewrite = 20, tt.context, tt.rewrite
			docs := folder(t, base)
			run(t, store, o, docs)
			member := cmp.Or(tt.member, "agnes moor")
			before, old := communityOf(t, store, o.Corpus, member)
			asked := tasks(server)[prompts.Report]
			if tt.add != "" {
				write(t, filepath.Join(docs, "more.txt"), tt.add)
			} else if err := os.Remove(filepath.Join(docs, tt.remove)); err != nil {
				t.Fatal(err)
			}
			r := run(t, store, o, docs)
			after, now := communityOf(t, store, o.Corpus, member)
			asked = tasks(server)[prompts.Report] - asked
			if len(after.Members) != len(before.Members)+tt.comes || after.Label != before.Label || after.Weight == before.Weight {
				t.Fatalf("the community was %+v, is %+v", before, after)
			}
			if now.Size != len(after.Members) || now.Weight != after.Weight || now.Community != after.Key {
				t.Errorf("the report is on %d members and a weight of %d of %s, want those of %+v", now.Size, now.Weight, now.Community, after)
			}
			if rewritten := now.Title != old.Title; rewritten != tt.rewrites || (asked > 0) != tt.rewrites || r.Reports.Rewritten != asked {
				t.Errorf("rewritten: %v, with %d calls, want %v; counts %+v", rewritten, asked, tt.rewrites, r.Reports)
			}
			if len(now.References) == 0 || !tt.rewrites && len(now.References) != len(old.References) {
				t.Errorf("the report cites %v, before %v", now.References, old.References)
			}
			calls := len(server.Requests())
			if idle := run(t, store, o, docs); idle.Writes != 0 || len(server.Requests()) != calls {
				t.Errorf("a run without changes: %d writes, %d calls", idle.Writes, len(server.Requests())-calls)
			}
			if n := staleReports(t, store, o.Corpus); n > 0 != tt.stale {
				t.Errorf("%d reports are stale", n)
			}
			o.Rewrite, o.AllowRedo = index.Rewrite{}, true
			if r := run(t, store, o, docs); staleReports(t, store, o.Corpus) > 0 || tt.stale && r.Reports.Rewritten == 0 {
				t.Errorf("%d reports are stale after a run that rewrites those that changed: %+v", staleReports(t, store, o.Corpus), r.Reports)
			}
		})
	}
}

// staleReports counts the visible reports that are stale.
func staleReports(t *testing.T, store *neo4jstore.Store, corpus string) (n int) {
	t.Helper()
	levels, err := store.ReportLevels(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range levels {
		n += l.Stale
	}
	return n
}
