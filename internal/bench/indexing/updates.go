package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/index"
)

// changesOfKind is how often the benchmark adds, changes and deletes one document.
const changesOfKind = 3

// updates prints what it costs to add, change and delete one document of corpora of
// growing size, and to add a hundredth of the documents one by one and together. The time
// to read the adjacency, which is part of the whole, grows with the corpus.
func (b *bench) updates(ctx context.Context, sizes string) error {
	all, err := sections()
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(b.w, "%d sections\n\n%9s  %-28s %7s %9s %9s %8s  %-37s %7s  %s\n", len(all), "documents", "", "s", "adjacency", "writes", "share", "communities: kept, changed, new, gone", "reports", "writes by stage")
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n+n/100+changesOfKind > len(all) {
			return fmt.Errorf("%q documents: want at most %d", size, len(all)*99/100-changesOfKind)
		}
		if err := b.updatesOf(ctx, all, n); err != nil {
			return fmt.Errorf("%d documents: %w", n, err)
		}
	}
	return nil
}

// An updated corpus is a folder of sections and what its first index wrote.
type updated struct {
	*bench

	dir   string
	n     int // documents of the first index
	first index.Result
}

const updatedCorpus = "bench_updates"

func (b *bench) updatesOf(ctx context.Context, all []string, n int) error {
	return b.onFolder(ctx, updatedCorpus, func(dir string) error {
		u := &updated{bench: b, dir: dir, n: n}
		for i := range n {
			if err := writeSection(u.dir, i, all[i]); err != nil {
				return err
			}
		}
		return u.changes(ctx, all)
	})
}

// changes prints what it costs to change the first n sections of all.
func (u *updated) changes(ctx context.Context, all []string) (err error) {
	if u.first, err = u.index(ctx, "first index"); err != nil {
		return err
	}
	n := u.n
	for i := range changesOfKind {
		for _, change := range []struct {
			name string
			make func() error
		}{
			{"one added", func() error { return writeSection(u.dir, n+i, all[n+i]) }},
			{"one changed", func() error { return writeSection(u.dir, i, all[i]+all[len(all)-1-i]) }},
			{"one deleted", func() error { return os.Remove(sectionPath(u.dir, n/2+i)) }},
		} {
			if err := change.make(); err != nil {
				return err
			}
			if _, err := u.index(ctx, change.name); err != nil {
				return err
			}
		}
	}
	return u.hundredth(ctx, all[n+changesOfKind:n+changesOfKind+n/100])
}

// hundredth adds texts one by one, deletes them, and adds them together.
func (u *updated) hundredth(ctx context.Context, texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	start, rewritten := time.Now(), 0
	for i, text := range texts {
		if err := writeSection(u.dir, 90_000+i, text); err != nil {
			return err
		}
		r, err := u.run(ctx)
		if err != nil {
			return err
		}
		rewritten += r.Reports.Rewritten
	}
	_, _ = fmt.Fprintf(u.w, "%9d  %-28s %7.1f %9s %9s %8s  %-37s %7d\n", u.n, fmt.Sprintf("%d added one by one", len(texts)), time.Since(start).Seconds(), "", "", "", "", rewritten)
	if err := u.fresh(ctx); err != nil {
		return err
	}
	for i := range texts {
		if err := os.Remove(sectionPath(u.dir, 90_000+i)); err != nil {
			return err
		}
	}
	if _, err := u.index(ctx, fmt.Sprintf("%d deleted", len(texts))); err != nil {
		return err
	}
	for i, text := range texts {
		if err := writeSection(u.dir, 90_000+i, text); err != nil {
			return err
		}
	}
	if _, err := u.index(ctx, fmt.Sprintf("%d added together", len(texts))); err != nil {
		return err
	}
	return u.fresh(ctx)
}

// fresh finds the communities as in a new corpus and prints the modularity before and
// after.
func (u *updated) fresh(ctx context.Context) error {
	before, err := u.modularity(ctx)
	if err != nil {
		return err
	}
	if _, err := u.index(ctx, "fresh communities", "--fresh-communities"); err != nil {
		return err
	}
	after, err := u.modularity(ctx)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(u.w, "%9d  modularity %.4f, fresh %.4f\n", u.n, before, after)
	return nil
}

// run indexes the folder.
func (u *updated) run(ctx context.Context, flags ...string) (index.Result, error) {
	var r index.Result
	made, err := u.exec(ctx, append([]string{"index", "--offline", "--quiet", "--json", "--corpus", updatedCorpus, "--yes", u.dir}, flags...)...)
	if err == nil {
		err = json.Unmarshal(made.out, &r)
	}
	return r, err
}

// index indexes the folder and prints a row.
func (u *updated) index(ctx context.Context, name string, flags ...string) (index.Result, error) {
	r, err := u.run(ctx, flags...)
	if err != nil {
		return r, err
	}
	share := 100.
	if u.first.Writes > 0 {
		share = 100 * float64(r.Writes) / float64(u.first.Writes)
	}
	c := r.Communities
	_, _ = fmt.Fprintf(u.w, "%9d  %-28s %7.1f %9.2f %9d %7.2f%%  %-37s %7d  %s\n", u.n, name, r.Seconds, r.AdjacencySeconds, r.Writes, share,
		fmt.Sprintf("%d, %d, %d, %d", c.Kept, c.Changed, c.New, c.Gone), r.Reports.Rewritten, writesByStage(r))
	return r, nil
}

// writesByStage returns the writes of each stage that has any.
func writesByStage(r index.Result) string {
	var stages []string
	for _, s := range r.Stages {
		if s.Writes > 0 {
			stages = append(stages, fmt.Sprintf("%s %d", s.Name, s.Writes))
		}
	}
	return strings.Join(stages, ", ")
}

// modularity reads the modularity of the visible communities.
func (u *updated) modularity(ctx context.Context) (float64, error) {
	made, err := u.exec(ctx, "status", "--corpus", updatedCorpus, "--json")
	if err != nil {
		return 0, err
	}
	var status struct{ Partition struct{ Modularity float64 } }
	err = json.Unmarshal(made.out, &status)
	return status.Partition.Modularity, err
}
