package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/global"
)

// rootShare is the share of the tokens of the text, in percent, that the reports of the
// root level of a large corpus must not reach. It is 2.6 for the podcasts of the GraphRAG
// paper.
const rootShare = 5.

// levels prints the number of reports and tokens of each level, compared with the text,
// of corpora indexed without a model, and what dynamic selection reads for a question.
func (b *bench) levels(ctx context.Context, data string) error {
	for _, s := range []struct{ name, corpus, path, question string }{
		{"sample", "bench_levels_sample", "examples/christmas-carol", "What happens to Tiny Tim?"},
		{"LiHuaWorld", "bench_levels_lihua", filepath.Join(data, "lihuaworld", "docs"), "What does Li Hua do with friends?"},
		{"technology", "bench_levels_technology", filepath.Join(data, "wild", "technology", "docs"), "How do networks stay secure?"},
	} {
		if _, err := os.Stat(s.path); err != nil {
			_, _ = fmt.Fprintf(b.w, "\n%s: skipped, not found (set NEORAG_DATA)\n", s.name)
			continue
		}
		if err := b.levelsOf(ctx, s.name, s.corpus, s.path, s.question); err != nil {
			return err
		}
	}
	return nil
}

// levelsOf indexes a folder, prints its levels and removes the corpus.
func (b *bench) levelsOf(ctx context.Context, name, corpus, path, question string) error {
	defer func() {
		_, _ = b.exec(context.WithoutCancel(ctx), "remove", "--corpus", corpus, "--yes") // the server is temporary
	}()
	made, err := b.exec(ctx, "index", "--offline", "--corpus", corpus, "--quiet", path)
	if err != nil {
		return err
	}
	read, err := b.exec(ctx, "query", "--corpus", corpus, "--dry-run", "--json")
	if err != nil {
		return err
	}
	var sizes query.LevelSizes
	if err := json.Unmarshal(read.out, &sizes); err != nil {
		return fmt.Errorf("read sizes: %w", err)
	}
	_, _ = fmt.Fprintf(b.w, "\n%s: indexed in %.0f s; text %d chunks, %d tokens\n", name, made.took.Seconds(), sizes.Chunks, sizes.TextTokens)
	for _, v := range sizes.Levels {
		share := 100 * float64(v.Tokens) / float64(max(1, sizes.TextTokens))
		remark := ""
		if v.Level == 0 && share < rootShare {
			remark = fmt.Sprintf("  under %.0f %%", rootShare)
		}
		_, _ = fmt.Fprintf(b.w, "  level %d  %6d reports  %8d tokens  %5.1f %%%s\n", v.Level, v.Reports, v.Tokens, share, remark)
	}
	if read, err = b.exec(ctx, "query", "--corpus", corpus, "--offline", "--dynamic", "--json", question); err != nil {
		return err
	}
	var a struct{ Selection global.Selection }
	if err := json.Unmarshal(read.out, &a); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	_, _ = fmt.Fprintf(b.w, "  dynamic  %6d reports  %8d tokens  %q\n", a.Selection.Reports, a.Selection.Tokens, question)
	return nil
}
