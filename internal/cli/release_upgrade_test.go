//go:build unix

package cli_test

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestReleaseUpgrade runs the program on what a released version left behind: database,
// settings, response cache and kept answers. All of it can be read, and indexing the same
// documents makes the graph that they make in a new corpus. What a model made is not made
// again, although the model has another server and keys of cached responses differ.
func TestReleaseUpgrade(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server with the data of a release")
	neo4jtest.Server(t) // skips without a server
	dir := unpack(t, filepath.Join("testdata", "release", "v0.1.0.zip"))
	o := localneo4j.Options{Data: t.TempDir(), Mode: localneo4j.Java, Throwaway: true, NoFetch: true}
	if err := os.Mkdir(filepath.Join(o.Data, "conf"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := admin(t, o.Data, "database", "load", "neo4j", "--from-path="+dir, "--overwrite-destination=true"); err != nil {
		t.Fatalf("load the dump: %v\n%s", err, out)
	}
	_, conn := startServer(t, o)
	p := newProgram(t, conn)
	p.dir, p.env["NEORAG_HOME"], p.env["NEORAG_CACHE"] = dir, dir, filepath.Join(dir, "cache")

	p.ok("trust") // the settings of the release name the servers of its models

	// The documents are indexed from the folder that they have been unpacked to.
	moved := p.cypher("MATCH (d:Document) SET d.root = $dir + '/' + d.corpus RETURN d.uri", map[string]any{"dir": dir})
	if len(moved) != 3 {
		t.Errorf("the release left %d documents, want 3", len(moved))
	}
	if out := p.ok("trace", "1").stdout; !strings.Contains(out, "Tobias Reed kept the books") {
		t.Errorf("trace of an answer that the release kept:\n%s", out)
	}
	question := []string{"query", "--method", "local", "--offline", "Who kept the books of the Harbour Museum?"}
	readUpgraded(t, p, "letters", "Tobias Reed kept the books", question)
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 64})
	t.Cleanup(server.Close)
	indexUpgraded(t, p, "letters", "--base-url", server.URL(), "--embedding-base-url", server.URL())
	question = []string{"query", "--method", "basic", "--offline", "What is the prize that hangs at the shop?"}
	readUpgraded(t, p, "tale", "turkey", question)
	indexUpgraded(t, p, "tale", "--offline")
	changeUpgraded(t, p)
	checkDatabase(t, o)
}

// readUpgraded checks that a corpus of a release can be read before it is indexed again.
func readUpgraded(t *testing.T, p *program, corpus, answer string, question []string) {
	t.Helper()
	p.env["NEORAG_CORPUS"] = corpus
	for want, args := range map[string][]string{"Corpus " + corpus: {"status"}, answer: question, "entities": {"cypher", "overview/counts"}} {
		if out := p.ok(args...).stdout; !strings.Contains(out, want) {
			t.Errorf("neorag %q on the corpus of a release: no %q in\n%s", args, want, out)
		}
	}
}

// ofServer is what names the server of the embedding model, in new corpora only, and the
// sums of extractions, which are not made again for their version.
var ofServer = regexp.MustCompile(`"(embed_fp|extract_sum)":"[0-9a-f]+"| at http://[0-9.:]+/v1`)

// indexUpgraded indexes the documents of a corpus again and into a new corpus, and compares
// the two. A model is called for the new corpus only.
func indexUpgraded(t *testing.T, p *program, corpus string, flags ...string) {
	t.Helper()
	var dumps []string
	for _, name := range []string{"fresh_" + corpus, corpus} {
		p.env["NEORAG_CORPUS"] = name
		var r index.Result
		if err := json.Unmarshal([]byte(p.ok(append([]string{"index", "--json", corpus}, flags...)...).stdout), &r); err != nil {
			t.Fatal(err)
		}
		if again := name == corpus; again && r.Calls > 1 || again != (r.Documents.Unchanged+r.Documents.Changed > 0) || again == (r.Documents.Added > 0) {
			t.Errorf("index of %s: %d calls, %+v", name, r.Calls, r.Documents)
		}
		if name == corpus && !slices.Contains(flags, "--offline") {
			if out := p.ok("status", "--corpus", corpus).stdout; !strings.Contains(out, "edition 1 of") || !strings.Contains(out, "index --upgrade") {
				t.Errorf("the status of a corpus that an earlier version made:\n%s", out)
			}
			p.ok(append([]string{"index", "--upgrade", corpus}, flags...)...) // what was paid for is made again on request
			p.ok(append([]string{"embed"}, flags...)...)                      // vectors of relationships lack their keywords
		}
		if name == corpus && slices.Contains(flags, "--offline") { // rules changed, and communities follow the history
			p.ok(append([]string{"index", "--fresh-communities", corpus}, flags...)...)
		}
		dumps = append(dumps, ofServer.ReplaceAllString(p.dump(), ""))
	}
	checkSameDump(t, dumps[0], dumps[1])
}

// changeUpgraded changes a document of the corpus tale, of which both versions must become
// the same graph: their fingerprints and marks are equal too.
func changeUpgraded(t *testing.T, p *program) {
	t.Helper()
	path := filepath.Join(p.dir, "tale", "stave-5.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\nClara Hale met Scrooge in Glasgow in 1846. Clara Hale told Bob Cratchit about Scrooge.\n"...)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var dumps []string
	for _, corpus := range []string{"fresh_tale", "tale"} {
		p.env["NEORAG_CORPUS"] = corpus
		p.ok("index", "--offline", "tale")
		dumps = append(dumps, p.dump())
	}
	checkSameDump(t, dumps[0], dumps[1])
	if !strings.Contains(dumps[1], "Clara Hale") {
		t.Error("the change is not in the graph")
	}
}

// unpack unpacks an archive into a new folder and returns its path.
func unpack(t *testing.T, path string) string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	dir := t.TempDir()
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	return dir
}
