package cli

import (
	"fmt"
	"text/tabwriter"
	"time"
)

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
