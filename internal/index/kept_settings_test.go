package index_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestCorpusKeepsItsDomain: a run without a domain, types and language takes those of the corpus,
// and a change redoes what depends on it and nothing else.
func TestCorpusKeepsItsDomain(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	server, with := model(t, llmtest.Options{}, "")
	bare := with(options(modelCorpus(t)))
	bare.EntityTypes = nil
	tuned := bare
	tuned.Domain = &extract.Domain{Description: "Letters of a town.", EntityTypes: []string{"person", "ship"}, Examples: []extract.Example{{Text: "Nobody."}}}
	tuned.Language = "German"
	run(t, store, tuned, docs)
	count := func(task string, parts ...string) (n int) {
		for _, r := range server.Requests() {
			has := fakemodel.Task(r) == task
			for _, part := range parts {
				has = has && strings.Contains(r.Messages[0].Content, part)
			}
			if has {
				n++
			}
		}
		return n
	}
	for task, part := range map[string]string{prompts.Extract: "Letters of a town.", prompts.Summarise: `Write in "German"`, prompts.Report: `Write in "German"`} {
		if count(task, part) == 0 {
			t.Errorf("no prompt for %s has %q", task, part)
		}
	}
	calls := len(server.Requests())
	if r := run(t, store, bare, docs); r.Writes != 0 || len(server.Requests()) != calls {
		t.Errorf("a run that names neither domain nor language: %d writes, %d calls", r.Writes, len(server.Requests())-calls)
	}
	types := bare
	types.EntityTypes = []string{"person", "harbour"}
	if _, err := try(t, store, types, docs); !errors.Is(err, index.ErrOtherMode) || !strings.Contains(err.Error(), "the extraction of all chunks") || strings.Contains(err.Error(), "reports") {
		t.Errorf("other types: %v", err)
	}
	types.AllowRedo = true
	before := count(prompts.Report)
	run(t, store, types, docs)
	if count(prompts.Extract, `person, "harbour".`) == 0 || count(prompts.Report) != before {
		t.Errorf("other types: %d reports were written again", count(prompts.Report)-before)
	}
	if count(prompts.Extract, `person, "harbour".`) != count(prompts.Extract, `person, "harbour".`, "Letters of a town.") {
		t.Error("other types drop the rest of the domain")
	}
	other := bare
	other.Language, other.AllowRedo = index.NoLanguage, true
	run(t, store, other, docs)
	if count(prompts.Report, "Write in English") == 0 {
		t.Error("without a language reports are not in that of the documents")
	}
	calls = len(server.Requests())
	if r := run(t, store, bare, docs); r.Writes != 0 || len(server.Requests()) != calls {
		t.Errorf("the last run: %d writes, %d calls", r.Writes, len(server.Requests())-calls)
	}
}

// TestUpgrade: a corpus that an earlier version made keeps what was paid for until a run with
// Upgrade, which makes it what it is in a new corpus.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, villages())
	server, with := model(t, llmtest.Options{}, "")
	settings := func() index.Options {
		o := with(options(modelCorpus(t)))
		o.Model.Claims = extract.ClaimsNone
		return o
	}
	fresh, old := settings(), settings()
	run(t, store, fresh, docs)
	x, err := index.NewInEdition(store, old, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Run(t.Context(), []string{docs}); err != nil {
		t.Fatal(err)
	}
	source, chunks := index.EarlierFingerprints(old)
	damage(t, old.Corpus, fmt.Sprintf("MATCH (d:Document {corpus: $corpus}) SET d.source_fp = '%s', d.chunk_fp = '%s'", source, chunks))
	edition := func(o index.Options) *index.OlderEdition {
		c, err := store.Corpus(t.Context(), o.Corpus)
		if err != nil {
			t.Fatal(err)
		}
		return index.EditionOf(c)
	}
	if e := edition(old); e == nil || e.Edition != 1 || strings.Join(e.Stages, ",") != "chunk,derive,describe,extract,report" || edition(fresh) != nil {
		t.Fatalf("the editions are %+v and %+v", e, edition(fresh))
	}
	made := dump(t, store, old.Corpus, "")
	calls := len(server.Requests())
	if r := run(t, store, old, docs); r.Writes != 0 || len(server.Requests()) != calls || dump(t, store, old.Corpus, "") != made {
		t.Errorf("a run of the new version: %d writes, %d calls", r.Writes, len(server.Requests())-calls)
	}
	write(t, filepath.Join(docs, "other.txt"), "Petra Stein sailed to the harbour of Tonder.")
	if r := run(t, store, old, docs); r.Documents.Added != 1 || r.Documents.Changed != 0 {
		t.Errorf("a new document: %+v", r.Documents)
	}
	run(t, store, fresh, docs)
	e := estimate(t, old, docs)
	if text := strings.Join(e.Notes, "\n"); e.Calls != 0 || !strings.Contains(text, "edition 1 of 5") || !strings.Contains(text, "--upgrade") {
		t.Errorf("the estimate has %d calls and the notes\n%s", e.Calls, text)
	}
	upgraded := old
	upgraded.Upgrade = true
	if e := estimate(t, upgraded, docs); e.Calls == 0 || strings.Contains(strings.Join(e.Notes, "\n"), "--upgrade") {
		t.Errorf("the estimate of an upgrade: %+v", e)
	}
	if r := run(t, store, upgraded, docs); r.Reports.Rewritten == 0 || r.Documents.Changed == 0 || edition(old) != nil {
		t.Errorf("an upgrade: %+v, of edition %+v", r.Reports, edition(old))
	}
	same(t, dump(t, store, fresh.Corpus, ""), dump(t, store, old.Corpus, ""))
	calls = len(server.Requests())
	for _, o := range []index.Options{old, upgraded} {
		if r := run(t, store, o, docs); r.Writes != 0 || len(server.Requests()) != calls {
			t.Errorf("after an upgrade: %d writes, %d calls", r.Writes, len(server.Requests())-calls)
		}
	}
}
