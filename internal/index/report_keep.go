package index

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Rewrite determines which reports are rewritten. The zero value means reports whose context
// changed.
type Rewrite struct {
	Always bool    // all that are looked at, even if their context did not change
	Stale  float64 // only if more than this share of the context is new; until then they are stale
}

// ParseRewrite parses "changed", "always" or "stale=SHARE" with a share below 1. The name of
// this limit was drift.
func ParseRewrite(s string) (Rewrite, error) {
	share, isStale := strings.CutPrefix(strings.Replace(s, "drift=", "stale=", 1), "stale=")
	switch {
	case s == "" || s == "changed":
		return Rewrite{}, nil
	case s == "always":
		return Rewrite{Always: true}, nil
	case isStale:
		x, err := strconv.ParseFloat(share, 64)
		if err == nil && x > 0 && x < 1 {
			return Rewrite{Stale: x}, nil
		}
	}
	return Rewrite{}, errors.New("want changed, always, or stale= and a share between 0 and 1, such as stale=0.1")
}

// failedFP precedes the fingerprint of a report that replaces one that failed.
const failedFP = "failed "

// keepReport keeps the report of a community, or carries over the report of its predecessor or of one
// that was written from the same, if the context did not change, or so little that
// Options.Rewrite lets it wait. It reports whether it did; out has the fingerprint of the
// context.
func (s *reporting) keepReport(ctx context.Context, k neo4jstore.ReportContext, author reporter, packed report.Context, out *reportResult) (bool, error) {
	from, fp, reads, records := k.Community.Key, k.ReportFP, k.Report.ReadsFP, k.Report.Records
	if fp == "" {
		p := s.predecessors.ByLabel(k.Community.Label)
		if same, ok := s.predecessors.ByReads(out.ReadsFP); ok && p.ReadsFP != out.ReadsFP {
			p = same // it had another label: it was on another level, for example
		}
		from, fp, reads, records = p.Community, p.ReportFP, p.ReadsFP, p.Records
	}
	if fp == "" || s.Rewrite.Always {
		return false, nil
	}
	own, stale := from == k.Community.Key && !k.Report.CitesEnded, 0.
	switch {
	case fp == out.ReportFP || reads == out.ReadsFP && !strings.HasPrefix(fp, failedFP):
	case s.staleness == 0 || strings.HasPrefix(fp, failedFP):
		return false, nil
	default:
		if stale = packed.Staleness(author.Fingerprint(), records); stale > s.staleness {
			return false, nil
		}
		out.ReportFP, out.ReadsFP = fp, reads
	}
	have, want := k.Report, k.Community
	if own && fp == out.ReportFP && have.Final == want.Final && have.Size == len(want.Members) && have.Weight == want.Weight {
		out.Unchanged, out.Stale, out.StaleChanged = true, stale, stale != have.Stale
		return true, nil
	}
	old, ok, err := s.store.ReportToCarry(ctx, s.Corpus, from, s.generation)
	if err != nil {
		return false, err
	}
	if ok {
		ok = repointChildren(&old, k.Children)
	}
	if !ok {
		return false, nil
	}
	old.Community, old.Level, old.Final, old.Size, old.Weight = want.Key, want.Level, want.Final, len(want.Members), want.Weight
	out.carried, out.Stale, out.Records = true, stale, old.Records
	out.Report, out.Terms, out.EmbedFP, out.Vector = old.Report, old.Terms, old.EmbedFP, old.Vector
	return true, nil
}

// repointChildren points the citations of reports in a carried report at the children with the
// same labels. It reports false if one has none.
func repointChildren(old *neo4jstore.CarriedReport, children []neo4jstore.ChildReport) bool {
	byLabel := make(map[string]string, len(children))
	for _, c := range children {
		byLabel[c.Label] = c.Report.Key
	}
	old.References = slices.Clone(old.References)
	for i, ref := range old.References {
		if ref.Kind != graph.KindReport {
			continue
		}
		now, ok := byLabel[old.Children[ref.Key]]
		if !ok {
			return false
		}
		old.References[i].Key = now
	}
	return true
}
