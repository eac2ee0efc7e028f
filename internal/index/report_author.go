package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text/language"
)

// isOffline reports whether the report of a community is written without a model.
func (s *reporting) isOffline(k graph.Community) bool {
	return s.leavesOut(len(k.Members)) || s.byModel != nil && !s.byModel[k.Key]
}

// reporterOf returns who writes the report of a community.
func (s *reporting) reporterOf(k graph.Community) reporter {
	if s.isOffline(k) {
		return s.offlineReporter()
	}
	author := s.reporter()
	if m, ok := author.(*report.Model); ok {
		m.Usual = s.usualLanguage
	}
	return author
}

// roomOf returns how many tokens of records an author can read at a time, 0 for any number. It
// logs once if that is less than the context that the user set for reports.
func (s *reporting) roomOf(ctx context.Context, author reporter) int {
	m, ok := author.(*report.Model)
	if !ok {
		return 0
	}
	room := m.Room(ctx)
	if set := s.Report.ContextTokens; room > 0 && room < set && set != (report.Options{}).Limits().ContextTokens {
		s.roomNoted.Do(func() {
			s.Logger.WarnContext(ctx, "the context of reports is lowered, because prompt and answer must fit into the context of the model",
				"setting", "reports.context_tokens", "from", set, "to", room)
		})
	}
	return room
}

const defaultMaxReports = 10_000

// chooseAuthors sets which reports the model writes, at most MaxReports, root levels first, and in
// which language.
func (s *reporting) chooseAuthors(ctx context.Context, all []graph.Community) error {
	if s.Model == nil {
		return nil
	}
	if s.Language == "" && s.edition >= 2 {
		code, err := s.store.MainLanguage(ctx, s.Corpus)
		if err != nil {
			return err
		}
		s.usualLanguage = language.Language(code).Name()
	}
	most := max(0, cmp.Or(s.Model.MaxReports, defaultMaxReports))
	if len(all) <= most {
		return nil
	}
	if s.leavesOutSmall() && slices.ContainsFunc(all, func(k graph.Community) bool { return len(k.Members) == 0 }) {
		var err error
		if all, err = s.store.Communities(ctx, s.Corpus, s.generation, true); err != nil {
			return fmt.Errorf("read members of communities: %w", err)
		}
	}
	s.byModel = map[string]bool{}
	for _, k := range all { // sorted by level and ordinal, so larger ones come first
		if len(s.byModel) < most && !s.leavesOut(len(k.Members)) {
			s.byModel[k.Key] = true
		}
	}
	return nil
}
