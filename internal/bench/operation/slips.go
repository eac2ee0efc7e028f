package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// slipCases are what users do without thinking.
func slipCases() []testCase {
	const same = "the changed file replaces the old one, or is refused"
	return []testCase{
		{kind: "slips", name: "a file of an indexed folder", right: same, run: oneDocument("docs/captain.txt")},
		{kind: "slips", name: "a glob over an indexed folder", right: same, run: oneDocument("docs/captain.txt", "docs/other.txt")},
		{kind: "slips", name: "a link to an indexed folder", right: same, run: oneDocument("link")},
		{kind: "slips", name: "query - with a question on stdin", right: "the question is read", run: questionFromStdin},
		{kind: "slips", name: "export csv for a spreadsheet", right: "a byte order mark, by itself or with --bom, not with --raw", run: csvBOM},
		{kind: "slips", name: "corpus names with - and .", right: "two names, two corpora", run: corpusNames},
		{kind: "slips", name: "remove --corpus", right: "asks, or needs --yes without a terminal", run: removeAsks},
		{kind: "slips", name: "cypher without a name", right: "lists the saved queries", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.neorag(ctx, "cypher", "--corpus", t.tales)
			return o.brief(), o.code == 0 && o.says("entities/card")
		}},
		{kind: "slips", name: "entities/card with half a name", right: "suggests Ingrid Solberg", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.neorag(ctx, "cypher", "--corpus", t.tales, "entities/card", "--entity", "Ingrid")
			return o.brief(), o.says("Ingrid Solberg")
		}},
		{kind: "slips", name: "a line of 1 MB in --chat", right: "the next question is answered", run: func(ctx context.Context, t *trial) (string, bool) {
			o := t.run(ctx, command{args: []string{"query", "--offline", "--chat", "--corpus", t.tales, "--method", "basic"}, stdin: strings.Repeat("storm ", 1<<20/5) + "\n" + question + "\n"})
			return o.brief(), o.says("1902") && !o.says("token too long")
		}},
	}
}

// oneDocument indexes a folder, changes a file and indexes paths that lead to it.
func oneDocument(paths ...string) func(context.Context, *trial) (string, bool) {
	return func(ctx context.Context, t *trial) (string, bool) {
		t.copied("docs/captain.txt", "operation", "file-inside-indexed-folder", "docs", "captain.txt")
		t.copied("docs/other.txt", "operation", "file-inside-indexed-folder", "docs", "other.txt")
		t.write("docs/captain.txt", strings.ReplaceAll(t.read("docs/captain.txt"), "Nils Berg", "Karl Moe"))
		if err := os.Symlink("docs", filepath.Join(t.work, "link")); err != nil {
			t.fail(err)
		}
		corpus := t.offline(ctx, "docs")
		t.write("docs/captain.txt", strings.ReplaceAll(t.read("docs/captain.txt"), "Karl Moe", "Nils Berg"))
		o := t.run(ctx, command{args: append([]string{"index", "--offline", "--quiet", "--corpus", corpus}, paths...), limit: time.Minute})
		n := t.status(ctx, corpus).Counts.Documents
		a := t.must(ctx, "query", "--offline", "--quiet", "--corpus", corpus, "Who is the captain of the Sydlys?")
		answer := answerOf(a.stdout)
		replaced := strings.Contains(answer, "Nils Berg") && !strings.Contains(answer, "Karl Moe")
		return fmt.Sprintf("exit %d, %d documents: %s", o.code, n, answer), n == 2 && (replaced || o.code != 0)
	}
}

func questionFromStdin(ctx context.Context, t *trial) (string, bool) {
	o := t.run(ctx, command{args: []string{"query", "--offline", "--corpus", t.tales, "--method", "basic", "-"}, stdin: question + "\n"})
	return answerOf(o.stdout), o.code == 0 && strings.Contains(o.stdout, sentence)
}

func csvBOM(ctx context.Context, t *trial) (string, bool) {
	export := func(folder string, more ...string) string {
		t.must(ctx, append([]string{"export", "--corpus", t.tales, "--format", "csv", "-o", folder}, more...)...)
		return t.read(filepath.Join(folder, "entities.csv"))
	}
	const mark = "\uFEFF"
	sheet, raw := export("sheet"), export("raw", "--raw")
	if !strings.HasPrefix(sheet, mark) && t.has(ctx, "export", "--bom") {
		sheet = export("bom", "--bom")
	}
	return fmt.Sprintf("begins with %x, with --raw %x", sheet[:min(3, len(sheet))], raw[:min(3, len(raw))]), strings.HasPrefix(sheet, mark) && !strings.HasPrefix(raw, mark)
}

func corpusNames(ctx context.Context, t *trial) (string, bool) {
	names := []string{"my-notes." + t.title, "my.notes-" + t.title}
	for i, text := range []string{"Anna Berg lives in Bergen.", "Karl Moe lives in Oslo."} {
		doc := fmt.Sprintf("doc%d.txt", i)
		t.write(doc, text+"\n")
		if o := t.run(ctx, command{args: []string{"index", "--offline", "--quiet", "--corpus", names[i], doc}, limit: time.Minute}); o.code != 0 {
			return o.brief(), false
		}
	}
	o := t.neorag(ctx, "query", "--offline", "--quiet", "--corpus", names[0], "Where does Anna Berg live?")
	n := t.status(ctx, names[0]).Counts.Documents
	return fmt.Sprintf("%d documents: %s", n, answerOf(o.stdout)), n == 1 && o.says("Bergen")
}

// removeAsks deletes a corpus without a terminal and without --yes, then refuses on a terminal.
func removeAsks(ctx context.Context, t *trial) (string, bool) {
	corpus := neo4jtest.Name()
	t.write("doc.txt", "Anna Berg lives in Bergen.\n")
	t.must(ctx, "index", "--offline", "--quiet", "--corpus", corpus, "doc.txt")
	o := t.neorag(ctx, "remove", "--corpus", corpus)
	if o.code == 0 {
		return "without a terminal: " + o.brief(), false
	}
	typed := t.run(ctx, command{args: []string{"remove", "--corpus", corpus}, terminal: true, stdin: "n\n"})
	if n := t.status(ctx, corpus).Counts.Documents; n != 1 {
		return "on a terminal, with n: " + typed.brief(), false
	}
	yes := t.neorag(ctx, "remove", "--corpus", corpus, "--yes")
	if yes.code != 0 {
		return "with --yes: " + yes.brief(), false
	}
	return o.brief(), t.neorag(ctx, "status", "--corpus", corpus).code != 0
}
