//go:build unix

package cli_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// canary is in the text, title, names and claims of one document alone.
const canary = "quexzibar"

// secretFiles returns the name and text of a document with the canary, and of one of
// which the second text is an edit without it.
func secretFiles() (name, text string, edited [2]string) {
	text = "---\ntitle: The Quexzibar Papers\nauthor: Quexzibar Vane\n---\n" +
		"Quexzibar Vane met Clara Hale in Port Ellen in 1921. Clara Hale trusted Quexzibar Vane. Quexzibar Vane accused Tobias Reed of the theft of the quexzibar diamond. " +
		"Tobias Reed owed money to Quexzibar Vane and to the Quexzibar Company. The Quexzibar Company sold the Harbour Museum to Quexzibar Vane.\n\n" +
		"Victor Lang wrote to Quexzibar Vane about the Lang Company. Quexzibar Vane married Victor Lang in London. Mary Quill followed Quexzibar Vane to Glasgow.\n"
	rest := "Edith Vane sang in London. Mary Quill wrote to Clara Hale about Edith Vane and Victor Lang."
	return canary + "-papers.md", text, [2]string{rest + " Edith Vane wore the Quexzibar diamond of the Quexzibar Company. Clara Hale painted the Quexzibar diamond.", rest}
}

// holding returns where nodes and edges of a corpus hold a text, as Kind.property.
func (p *program) holding(text string) []string {
	p.t.Helper()
	var found []string
	look := func(kind string, properties any) {
		m, _ := properties.(map[string]any)
		for name, value := range m {
			if strings.Contains(strings.ToLower(name+" "+fmt.Sprint(value)), text) {
				found = append(found, kind+"."+name)
			}
		}
	}
	params := map[string]any{"corpus": p.corpus}
	nodes := p.cypher("MATCH (n) WHERE n.corpus = $corpus OR n.key STARTS WITH $corpus + '/' OR n.key = $corpus RETURN labels(n) AS labels, properties(n) AS properties", params)
	for _, row := range nodes {
		labels := fmt.Sprint(row["labels"])
		look(strings.Fields(strings.Trim(labels, "[]"))[0], row["properties"])
		if strings.Contains(strings.ToLower(labels), text) {
			found = append(found, "label "+labels)
		}
	}
	for _, row := range p.cypher("MATCH (n)-[r]->() WHERE n.corpus = $corpus OR n.key = $corpus RETURN type(r) AS type, properties(r) AS properties", params) {
		kind, _ := row["type"].(string)
		look(kind, row["properties"])
	}
	indexes := p.cypher("SHOW FULLTEXT INDEXES YIELD name WHERE name ENDS WITH '_' + $corpus RETURN name", params)
	for _, row := range indexes {
		for _, hit := range p.cypher("CALL db.index.fulltext.queryNodes($name, $query) YIELD node RETURN node.key AS key", map[string]any{"name": row["name"], "query": text[:6] + "*"}) {
			found = append(found, fmt.Sprintf("index %v: %v", row["name"], hit["key"]))
		}
	}
	for _, row := range p.cypher("CALL db.labels() YIELD label WHERE toLower(label) CONTAINS $text RETURN label", map[string]any{"text": text}) {
		found = append(found, fmt.Sprintf("label token %v", row["label"]))
	}
	if len(nodes) < 10 || len(indexes) < 5 {
		p.t.Fatalf("looked at %d nodes and %d indexes only", len(nodes), len(indexes))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// textFormats are the formats of export that contain texts as they are; the page of the
// format html has the same texts, compressed.
var textFormats = []string{"jsonl", "cypher", "dot", "gexf", "graphml", "json"}

// exports returns the formats whose export of the corpus holds a text.
func (p *program) exports(text string) (found []string) {
	p.t.Helper()
	for _, format := range textFormats {
		if strings.Contains(strings.ToLower(p.ok("export", "--format", format).stdout), text) {
			found = append(found, format)
		}
	}
	return found
}

// TestDeletedDocumentLeavesNothing deletes a document, and edits another one: then
// nothing in the graph, its indexes and its exports holds a word that only they had.
func TestDeletedDocumentLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, mode := range faulttest.Sample(t, []string{"offline", "model", "failing model"}, 1) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, neo4jtest.Server(t))
			args := []string{"--offline"}
			var failures atomic.Int64
			if mode != "offline" {
				args = simulated(t, p, mode == "failing model", &failures)
			}
			name, text, edited := secretFiles()
			files := map[string]string{name: text, "edited.txt": edited[0]}
			maps.Copy(files, novel)
			docs := folder(t, "docs", files)
			args = append([]string{"index", "--quiet", "--max-community-size", "4", docs}, args...)
			first := p.run(args...)
			before := p.holding(canary)
			want := []string{"Chunk.text", "Claim.description", "Document.title", "Document.uri", "Entity.name", "Finding.explanation", "MENTIONS.descriptions", "Passage.terms", "Relationship.description", "Report.full_content"}
			for _, place := range want {
				if !slices.Contains(before, place) {
					t.Errorf("before the deletion, %s does not hold the word: %v", place, before)
				}
			}
			if mode == "failing model" && (first.code != 3 || failures.Load() == 0 || !slices.ContainsFunc(before, func(at string) bool { return strings.HasSuffix(at, "_error") })) {
				t.Errorf("no reason of a failure holds the word: exit %d, %d failures, %v", first.code, failures.Load(), before)
			}
			if n := len(p.exports(canary)); n < len(textFormats) {
				t.Errorf("before the deletion, %d exports hold the word", n)
			}
			if err := os.Remove(filepath.Join(docs, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(docs, "edited.txt"), []byte(edited[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			p.ok(args...)
			if left := p.holding(canary); len(left) > 0 {
				t.Errorf("after the deletion, the word is in %v", left)
			}
			if left := p.exports(canary); len(left) > 0 {
				t.Errorf("after the deletion, the word is in the exports %v", left)
			}
			if r, code := p.doctor(); code != 0 {
				t.Errorf("the doctor: exit %d, %v", code, r.names(false))
			}
		})
	}
}

// filesWith returns the files below a folder that hold a text.
func filesWith(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil && strings.Contains(strings.ToLower(string(body)), text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRemovedDocumentLeavesNothing takes two documents out of a corpus while their files
// stay: nothing in the graph, its exports, kept answers, conversations and cached responses
// holds their words, but the list of what is kept out holds their names. Responses that another corpus
// got stay. Runs keep the documents out until they are readmitted.
func TestRemovedDocumentLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, mode := range faulttest.Sample(t, []string{"offline", "model", "model, with another corpus"}, 1) {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, neo4jtest.Server(t))
			settings := []string{"--offline"}
			p.env["NEORAG_CACHE"] = t.TempDir()
			if mode != "offline" {
				settings = simulated(t, p, false, nil)
			}
			settings = append(settings, "--max-community-size", "4", "--rewrite-reports", "stale=0.9")
			name, text, edited := secretFiles()
			files := map[string]string{name: text, "edited.txt": edited[0]}
			maps.Copy(files, novel)
			docs := folder(t, "docs", files)
			index := append([]string{"index", "--quiet", docs}, settings...)
			p.ok(index...)
			shared := mode == "model, with another corpus"
			if shared {
				p.ok(append(index, "--corpus", neo4jtest.Borrow(t, "index"))...)
			}
			conversation := filepath.Join(t.TempDir(), "turns.jsonl")
			p.ok(append([]string{"query", "--history", conversation, "Who is Quexzibar Vane?"}, settings[:len(settings)-4]...)...)
			p.ok("query", "--offline", "--quiet", "--method", "fused", "Who opened the Harbour Museum?")
			graphs := filepath.Join(p.env["NEORAG_HOME"], "graphs")
			if found := filesWith(t, graphs, canary); len(found) != 1 {
				t.Errorf("before the removal, the word is in the graphs %v, want one", found)
			}
			chosen := []string{"docs/" + name, "--glob", "**/edit*"}
			remove := append(append([]string{"remove"}, chosen...), settings...)
			if listed := p.ok(append(remove, "--dry-run")...).stdout; !strings.Contains(listed, "docs/"+name) || !strings.Contains(listed, "docs/edited.txt") {
				t.Errorf("the dry run lists %s", listed)
			}
			if before := p.holding(canary); len(before) < 10 {
				t.Errorf("before the removal, or after a dry run, the word is only in %v", before)
			}
			gone := func(when string) {
				t.Helper()
				if left := p.holding(canary); len(left) != 1 || left[0] != "Corpus.excluded" {
					t.Errorf("%s, the word is in %v", when, left)
				}
				if left := p.exports(canary); len(left) > 0 {
					t.Errorf("%s, the word is in the exports %v", when, left)
				}
			}
			kept := [2]string{filepath.Join(p.env["NEORAG_HOME"], "answers"), p.env["NEORAG_CACHE"]}
			if answers, cached := filesWith(t, kept[0], canary), filesWith(t, kept[1], canary); len(answers) != 2 || mode != "offline" && len(cached) < 3 {
				t.Errorf("before the removal, the word is in the answers %v and the cache %v", answers, cached)
			}
			if turns := filesWith(t, filepath.Dir(conversation), canary); len(turns) != 1 {
				t.Errorf("before the removal, the conversation does not hold the word")
			}
			if o := p.run(append(remove, "--label-prefix", "X")...); o.code != 1 || !strings.Contains(o.stderr, "indexed with other settings") {
				t.Errorf("other settings: exit %d: %s", o.code, o.stderr)
			}
			if answers, turns := filesWith(t, kept[0], canary), filesWith(t, filepath.Dir(conversation), canary); len(answers) != 2 || len(turns) != 1 {
				t.Errorf("a refused removal deleted answers or turns: %v, %v are left", answers, turns)
			}
			printed := p.ok(remove...)
			gone("after the removal")
			if found := filesWith(t, graphs, canary); len(found) > 0 {
				t.Errorf("after the removal, the word is in the graphs %v", found)
			}
			answers, cached := filesWith(t, kept[0], canary), filesWith(t, kept[1], canary)
			if turns := filesWith(t, filepath.Dir(conversation), canary); len(turns) > 0 {
				t.Errorf("after the removal, the conversation holds the word")
			}
			if len(answers) > 0 || (len(cached) > 0) != shared || strings.Contains(printed.stderr, "other corpora use them") != shared {
				t.Errorf("after the removal, the word is in the answers %v and the cache %v: %s", answers, cached, printed.stderr)
			}
			if again := p.ok(append(index, "--json")...).stdout; !strings.Contains(again, `"excluded": 2`) || !strings.Contains(again, `"writes": 0`) {
				t.Errorf("another run: %s", again)
			}
			gone("after another run")
			if r, code := p.doctor(); code != 0 {
				t.Errorf("the doctor: exit %d, %v", code, r.names(false))
			}
			p.ok(append(append([]string{"remove", "--readmit"}, chosen...), settings...)...)
			p.ok(index...)
			if after := p.holding(canary); len(after) < 10 {
				t.Errorf("after the documents are readmitted, the word is only in %v", after)
			}
		})
	}
}

// simulated starts a simulated model, and returns the flags that use it. A failing one
// refuses reports about the canary, and repeats the text in its message.
func simulated(t *testing.T, p *program, failing bool, failures *atomic.Int64) []string {
	t.Helper()
	p.env["NEORAG_CACHE"] = t.TempDir()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(r llmtest.Request) *llmtest.Reply {
		task := fakemodel.Task(r)
		if !failing || task != prompts.Report && task != prompts.Extract || !strings.Contains(strings.ToLower(r.Last()), canary) {
			return nil
		}
		if task == prompts.Extract && !strings.Contains(r.Last(), "Edith Vane sang") {
			return nil
		}
		failures.Add(1)
		return &llmtest.Reply{Status: 400, Message: "we do not write about Quexzibar"}
	}})
	t.Cleanup(server.Close)
	return []string{"--base-url", server.URL(), "--model", "simulated"}
}
