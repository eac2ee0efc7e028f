package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// printTable prints a line for each file, in the given order, and a line of totals.
func printTable(w io.Writer, f format, version string, rows []row) {
	_, _ = fmt.Fprintf(w, "## %s, compared with %s\n\n", f.name, version)
	_, _ = fmt.Fprintf(w, "| file | size | words | found | invented | order | U+FFFD ours / theirs | time ours / theirs |\n|---|--:|--:|--:|--:|--:|--:|--:|\n")
	var all row
	for _, r := range rows {
		all.add(r.shares)
		all.ourTime += r.ourTime
		all.theirTime += r.theirTime
		all.unreadable += r.unreadable
		all.unknown += r.unknown
		note := ""
		if r.err != nil {
			note = ": " + strings.NewReplacer("\n", "; ", "|", "/").Replace(r.err.Error())
		}
		printRow(w, strings.ReplaceAll(r.uri, "|", "/")+note, r)
	}
	printRow(w, fmt.Sprintf("**total of %d**", len(rows)), all)
	_, _ = fmt.Fprintf(w, "\n%d of %d files are below the goal, %g of the words found.\n\n", len(below(f, rows)), len(rows), f.goal)
}

func printRow(w io.Writer, name string, r row) {
	_, _ = fmt.Fprintf(w, "| %s | %s | %d | %.4f | %.4f | %.4f | %d / %d | %s / %s |\n", name, r.size, r.theirs,
		r.found(), r.invented(), r.order(), r.unreadable, r.unknown, seconds(r.ourTime), seconds(r.theirTime))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// below returns the files of which too few words were found, and those that only our reader cannot read.
func below(f format, rows []row) []row {
	var out []row
	for _, r := range rows {
		if r.found() < f.goal || r.failed {
			out = append(out, r)
		}
	}
	return out
}

// printWords prints the words that differ most in the files below the goal.
func printWords(w io.Writer, f format, rows []row, n int) {
	list := func(counts map[string]int) string {
		words := mostFrequent(counts, n)
		for i, word := range words {
			words[i] = fmt.Sprintf("%s %d", word, counts[word])
		}
		return strings.Join(words, ", ")
	}
	for _, r := range below(f, rows) {
		_, _ = fmt.Fprintf(w, "- %s\n  - lost: %s\n  - invented: %s\n", r.uri, list(r.lostIn), list(r.inventedIn))
	}
	_, _ = fmt.Fprintln(w)
}

// summarise returns one line about the files of a format.
func summarise(f format, rows []row) string {
	var all shares
	empty, failed, unread := 0, 0, 0
	for _, r := range rows {
		all.add(r.shares)
		switch {
		case r.failed:
			failed++
		case r.err != nil && r.size == "":
			unread++
		case r.theirs == 0:
			empty++
		}
	}
	return fmt.Sprintf("- %s: %d files, %d words, %.4f found, %.4f invented, order %.4f; %d below the goal of %g; not read by us %d, by the other %d; without words there %d",
		f.name, len(rows), all.theirs, all.found(), all.invented(), all.order(), len(below(f, rows)), f.goal, failed, unread, empty)
}
