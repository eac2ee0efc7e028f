package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// printKept prints the settings that the corpus keeps.
func printKept(env *environment, s Status) {
	if s.Resolve != string(index.NamesExact) {
		env.printf("  %-14s %s\n", "resolve", s.Resolve)
	}
	if s.Language != "" {
		env.printf("  %-14s %s\n", "language", s.Language)
	}
	if d := s.Domain; d != nil {
		if len(d.EntityTypes) > 0 {
			env.printf("  %-14s %s\n", "entity types", terminal.OneLine(strings.Join(d.EntityTypes, ", ")))
		}
		if d.Description != "" {
			env.printf("  %-14s %s (%d examples)\n", "domain", terminal.OneLine(d.Description), len(d.Examples))
		}
	}
	if s.OlderEdition != nil {
		env.printf("  %-14s %s\n", "edition", s.OlderEdition.Note(s.Counts))
	}
}

// printStatus prints the status of a corpus for a person.
func printStatus(env *environment, s Status) {
	n := s.Counts
	env.printf("Corpus %s (%s)\n", s.Corpus, cmp.Or(s.Mode, "no settings recorded yet"))
	env.printf("  %-14s %d\n  %-14s %d\n", "documents", n.Documents, "chunks", n.Chunks)
	if s.Excluded > 0 {
		env.printf("  %-14s %d documents; `neorag remove --readmit` lets them in again\n", "kept out", s.Excluded)
	}
	if len(s.Unfinished) > 0 {
		env.printf("  %-14s not finished for %d documents; `neorag remove --corpus %s -- %s` finishes it\n", "removal", len(s.Unfinished), s.Corpus, shellWord(s.Unfinished[0]))
	}
	env.printf("  %-14s %d (%d in no community)\n", "entities", n.Entities, n.Isolated)
	env.printf("  %-14s %d\n  %-14s %d\n", "relationships", n.Relationships, "claims", n.Claims)
	if a := s.Absent; a.Entities+a.Claims > 0 {
		env.printf("  %-14s %d entities by their names, %d claims by their quotes: no chunk holds these words; they are left out of reports\n", "absent", a.Entities, a.Claims)
	}
	for _, a := range s.artifacts {
		env.printf("  %-14s %s\n", a.Label, a.Text)
	}
	reports := map[int]string{}
	for _, r := range s.Reports {
		reports[r.Level] = strconv.Itoa(r.Count) + " reports"
		if r.Stale > 0 {
			reports[r.Level] += fmt.Sprintf(", %d of them stale", r.Stale)
		}
	}
	for _, l := range s.Communities {
		env.printf("  level %-8d %d communities of %d entities, %s\n", l.Level, l.Count, l.Entities, cmp.Or(reports[l.Level], "0 reports"))
	}
	printKept(env, s)
	if s.Partition != nil {
		env.printf("  %-14s %s\n", "communities", s.Partition)
	}
	var pending []string
	for _, stage := range slices.Sorted(maps.Keys(s.Pending)) {
		if s.Pending[stage] > 0 {
			pending = append(pending, fmt.Sprintf("%s %d", stage, s.Pending[stage]))
		}
	}
	if len(pending) > 0 {
		env.printf("  pending        %s\n", strings.Join(pending, ", "))
	}
	printRunning(env, s)
	if len(s.Without) > 0 {
		env.printf("  %-14s skipped for %d communities; `neorag index PATH` writes them\n", "reports", s.Counts.Communities-s.Counts.Reports)
	}
	for _, f := range s.Failed {
		env.printf("  failed         %s: %s: %s\n", f.Stage, f.Key, f.Reason)
	}
	if note := source.SkippedNote(s.Skipped); note != "" {
		env.printf("  %-14s %s\n", "skipped", note)
	}
	for _, r := range s.Runs {
		env.printf("  run            %s, %.1f s, %d writes, exit %d\n", r.Started.Local().Format(time.DateTime), r.Finished.Sub(r.Started).Seconds(), r.Counts["writes"], r.Exit)
	}
}

// requestedRun says what a requested run waits for.
const requestedRun = "a run is requested, which a `neorag serve` or `neorag index --requested --watch` with the folder starts"

// failedRun says why a requested run failed.
func failedRun(failure string) string {
	return "the requested run failed: " + terminal.OneLine(failure)
}

// printRunning prints the run that is under way, else whether one is requested or why the last request failed.
func printRunning(env *environment, s Status) {
	if r := s.Running; r != nil {
		env.printf("  %-14s %s %d of %d, %d calls; %s, %.0f s ago\n", "running", cmp.Or(r.Stage, "beginning"), r.Done, r.Total, r.Calls, terminal.OneLine(r.Holder), r.Age)
	} else if s.Requested {
		env.printf("  %-14s %s\n", "waiting", requestedRun)
	} else if s.Failure != "" {
		env.printf("  %-14s %s\n", "failed", failedRun(s.Failure))
	}
}

// printRuns prints a table of the runs of a corpus.
func printRuns(env *environment, s Status) {
	env.printf("Runs of corpus %s\n", s.Corpus)
	if len(s.Runs) == 0 {
		env.printf("  none wrote anything\n")
		return
	}
	table := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	defer func() { _ = table.Flush() }()
	_, _ = fmt.Fprintln(table, "  started\tseconds\tdocuments\tcommunities\treports\twrites\tcalls\ttokens in\tout\tcost\tof a new corpus\texit")
	_, _ = fmt.Fprintln(table, "  \t\tadded, changed, removed\tkept, changed, new, gone\tkept, rewritten\t\t\t\t\t\tcalls, tokens\t")
	for _, r := range s.Runs {
		n := r.Counts
		_, _ = fmt.Fprintf(table, "  %s\t%.1f\t%d, %d, %d\t%d, %d, %d, %d\t%d, %d\t%d\t%d\t%d\t%d\t%.2f\t%s\t%d\n",
			r.Started.Local().Format(time.DateTime), r.Finished.Sub(r.Started).Seconds(), n["added"], n["changed"], n["removed"],
			n["communities_kept"], n["communities_changed"], n["communities_new"], n["communities_gone"],
			n["reports_kept"], n["reports_rewritten"], n["writes"], r.Calls, r.TokensIn, r.TokensOut, r.Cost, rebuildShares(r), r.Exit)
	}
}

// rebuildShares returns the calls and tokens of a run as shares of what a new corpus takes.
func rebuildShares(r RunLine) string {
	if r.RebuildTokens == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%, %.1f %%", 100*r.RebuildCalls, 100*r.RebuildTokens)
}

// shellWord returns a text as one word of a command line.
func shellWord(s string) string {
	s = terminal.OneLine(s)
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-:@%+,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
