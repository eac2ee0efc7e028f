package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// replyCases are valid answers of unusual form, which the model's work is not lost for.
func replyCases() (cases []testCase) {
	fine := func(o outcome, _ int) bool { return o.code == 0 }
	for _, c := range []struct {
		modes, right string
		ok           func(o outcome, requests int) bool
	}{
		{"strusage floatusage usagestr reasonobj", "the answer is read, the usage estimated", fine},
		{"errfalse errempty", "not an error", fine},
		{"arr wrapkey doublejson", "unwrapped, without more calls", func(o outcome, n int) bool { return o.code == 0 && n <= 4 }},
		{"emptyreason nullcontent", "the answer in the reasoning is used, or the message names it", func(o outcome, _ int) bool { return o.code == 0 || o.says("reasoning") }},
		{"cutctx", "a warning that the server cuts prompts", func(o outcome, _ int) bool { return o.says("num_ctx", "context") }},
		{"zhipu429", "an empty account is not asked again", func(o outcome, n int) bool { return o.code != 0 && n <= 4 && o.says("balance is insufficient") }},
		{"nosystem", "asked again without the system role", fine},
		{"thinkopen gptoss fence", "the answer is read", fine}, // were right before
	} {
		for mode := range strings.FieldsSeq(c.modes) {
			cases = append(cases, testCase{
				kind: "replies", name: mode, right: c.right, needs: python,
				run: func(ctx context.Context, t *trial) (string, bool) {
					o := t.indexed(ctx, t.corpus(ctx, hashed), mode)
					n := t.replies.requests(mode)
					return fmt.Sprintf("%s (%d requests, %.0f s)", o.brief(), n, o.took.Seconds()), c.ok(o, n)
				},
			})
		}
	}
	return cases
}

// indexed indexes the given documents with a mode of the server.
func (t *trial) indexed(ctx context.Context, corpus, mode string, more ...string) outcome {
	args := append([]string{"index", "--without", "reports", "--corpus", corpus, "--base-url", t.replies.base(mode), "--model", "sim"}, more...)
	o := t.run(ctx, command{args: append(args, t.given("models", "docs")), limit: 90 * time.Second})
	o.stderr = withoutProgress(o.stderr)
	return o
}

// withoutProgress removes the lines of progress.
func withoutProgress(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "msg=progress") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// A corpusStatus is what `status --json` prints of a corpus.
type corpusStatus struct {
	Counts struct {
		Documents, Chunks, Entities, Queries, Sentences int
	} `json:"counts"`
	Pending map[string]int    `json:"pending"`
	Failed  []json.RawMessage `json:"failed"`
}

func (t *trial) status(ctx context.Context, corpus string) (s corpusStatus) {
	if err := json.Unmarshal([]byte(t.must(ctx, "status", "--json", "--corpus", corpus).stdout), &s); err != nil {
		t.fail(err)
	}
	return s
}

// vectorCases are answers of embedding models.
func vectorCases() []testCase {
	return []testCase{
		{kind: "vectors", name: "embonefive", right: "the one text fails, all others get vectors: exit 3", needs: python, run: oneTextFails},
		{kind: "vectors", name: "emb5000", right: "the limit of 4096 numbers, before texts are sent", needs: python, run: tooManyNumbers},
	}
}

func oneTextFails(ctx context.Context, t *trial) (string, bool) {
	corpus := t.corpus(ctx, embedded)
	o := t.indexed(ctx, corpus, "embonefive", "--embedding-model", "sim")
	// Only texts without the name that the server fails on must have vectors.
	rows, err := neo4jtest.Rows(ctx, t.conn, `MATCH (n) WHERE n.corpus = $corpus AND (n:Chunk OR n:Entity) AND NOT coalesce(n.text, n.name + n.description) CONTAINS 'Petra'
		RETURN count(n) AS texts, count(n.embedding) AS vectors`, map[string]any{"corpus": corpus})
	if err != nil || len(rows) != 1 {
		t.fail(fmt.Errorf("count vectors: %w", err))
		return "", false
	}
	texts, vectors := fmt.Sprint(rows[0]["texts"]), fmt.Sprint(rows[0]["vectors"])
	return fmt.Sprintf("%s of %s other texts have vectors; %s", vectors, texts, o.brief()), o.code == 3 && texts == vectors && texts != "0"
}

func tooManyNumbers(ctx context.Context, t *trial) (string, bool) {
	args := []string{"index", "--quiet", "--corpus", "many_numbers_" + t.title, "--base-url", t.replies.base("emb5000"), "--model", "sim", "--embedding-model", "sim", t.given("models", "docs")}
	o := t.run(ctx, command{args: args, limit: time.Minute})
	n := t.replies.requests("emb5000")
	return fmt.Sprintf("%s (%d requests)", o.brief(), n), o.code != 0 && n <= 1 && o.says("4096", "4,096") && !o.says("vector.dimensions")
}
