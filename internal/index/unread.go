package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

const (
	maxUnread       = 200 // files that are named
	maxUnreadReason = 400 // bytes
)

// unreadBefore returns the files that earlier runs did not read, or not completely, and that this run
// does not try again: those below other paths than the given ones, and unchanged ones.
func (c *comparer) unreadBefore(roots []string) []neo4jstore.UnreadFile {
	wanted := map[string]bool{}
	for _, f := range c.files {
		wanted[f.URI] = true
	}
	return slices.DeleteFunc(slices.Clone(c.corpus.Unread.Failures), func(f neo4jstore.UnreadFile) bool {
		elsewhere := !slices.ContainsFunc(roots, func(root string) bool { return isUnder(f.URI, root) })
		unchanged := c.found[f.URI] && !wanted[f.URI] && !source.HasRecords(source.File{URI: f.URI})
		return !elsewhere && !unchanged
	})
}

// unreadAfter returns what the corpus is to remember of the files that were not read, after a run with
// these failures.
func (d *runDiff) unreadAfter(failures []Failure) neo4jstore.Unread {
	now := neo4jstore.Unread{Skipped: d.listing.Skipped}
	for _, f := range d.unread {
		if !slices.ContainsFunc(failures, func(o Failure) bool { return o.Key == f.URI }) {
			now.Failures = append(now.Failures, f)
		}
	}
	for _, f := range failures {
		if f.Stage == sourceStage || f.Stage == chunkStage {
			now.Failures = append(now.Failures, neo4jstore.UnreadFile{URI: f.Key, Reason: text.Truncate(f.Reason, maxUnreadReason)})
		}
	}
	slices.SortFunc(now.Failures, func(a, b neo4jstore.UnreadFile) int { return strings.Compare(a.URI, b.URI) })
	now.Failures = now.Failures[:min(len(now.Failures), maxUnread)]
	return now
}

// noteUnread writes which files were not read, if that differs from what the corpus lists.
func (s *documentWriter) noteUnread(ctx context.Context, d *runDiff) error {
	s.shared.mu.Lock()
	now := d.unreadAfter(s.shared.result.Failures)
	s.shared.mu.Unlock()
	if now.Equal(d.corpus.Unread) {
		return nil
	}
	if err := s.writer.SetUnread(ctx, now); err != nil {
		return fmt.Errorf("record which files were not read: %w", err)
	}
	return nil
}
