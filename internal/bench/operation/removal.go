package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// removalCases are removals of documents that are interrupted, repeated or looked at.
func removalCases() []testCase {
	return []testCase{
		{kind: "removal", name: "killed", right: "the same command continues, nothing is pending", run: interruptedRemoval(os.Kill)},
		{kind: "removal", name: "interrupted", right: "the same command continues, nothing is pending", run: interruptedRemoval(os.Interrupt)},
		{kind: "removal", name: "readmitted twice", right: "the second time changes nothing: exit 0", run: readmittedTwice},
		{kind: "removal", name: "overview/settings afterwards", right: "shows what was removed", run: settingsAfterRemoval},
	}
}

// taleFiles copies the documents of the shared corpus into the folder docs, and indexes them.
func (t *trial) taleFiles(ctx context.Context) (corpus string) {
	for _, name := range tales {
		t.copied(filepath.Join("docs", name), "operation", "corpus", name)
	}
	return t.offline(ctx, "docs")
}

var tales = []string{"ferry.txt", "lighthouse.md", "museum.html"}

// interruptedRemoval ends a removal after its first transaction.
func interruptedRemoval(signal os.Signal) func(context.Context, *trial) (string, bool) {
	return func(ctx context.Context, t *trial) (string, bool) {
		corpus := t.taleFiles(ctx)
		for i, name := range tales {
			remove := []string{"remove", "--corpus", corpus, "docs/" + name}
			o := t.run(ctx, command{args: remove, limit: time.Minute, during: func(ctx context.Context, p *os.Process) {
				if t.fewerDocuments(ctx, corpus, len(tales)-i) {
					_ = p.Signal(signal) // it may have ended
				}
			}})
			if o.code == 0 || len(t.status(ctx, corpus).Pending) == 0 {
				continue // it was too fast
			}
			again := t.run(ctx, command{args: remove, limit: time.Minute})
			pending := t.status(ctx, corpus).Pending
			return fmt.Sprintf("%s; pending: %v", again.brief(), pending), again.code == 0 && len(pending) == 0
		}
		t.fail(errors.New("no removal was interrupted in time"))
		return "", false
	}
}

// fewerDocuments waits until a corpus has fewer documents than before.
func (t *trial) fewerDocuments(ctx context.Context, corpus string, before int) bool {
	for ctx.Err() == nil {
		rows, err := neo4jtest.Rows(ctx, t.conn, "MATCH (d:Document {corpus: $corpus}) RETURN count(d) AS n", map[string]any{"corpus": corpus})
		if err == nil && len(rows) == 1 && fmt.Sprint(rows[0]["n"]) != strconv.Itoa(before) {
			return true
		}
	}
	return false
}

func readmittedTwice(ctx context.Context, t *trial) (string, bool) {
	corpus := t.taleFiles(ctx)
	t.must(ctx, "remove", "--corpus", corpus, "docs/ferry.txt")
	t.must(ctx, "remove", "--corpus", corpus, "--readmit", "docs/ferry.txt")
	o := t.neorag(ctx, "remove", "--corpus", corpus, "--readmit", "docs/ferry.txt")
	return o.brief(), o.code == 0
}

func settingsAfterRemoval(ctx context.Context, t *trial) (string, bool) {
	corpus := t.taleFiles(ctx)
	t.must(ctx, "remove", "--corpus", corpus, "docs/ferry.txt")
	o := t.neorag(ctx, "cypher", "--corpus", corpus, "overview/settings")
	return o.brief(), o.code == 0 && o.says("docs/ferry.txt")
}
