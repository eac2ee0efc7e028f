package cli

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/route"
	"github.com/neorag/neorag/internal/terminal"
)

// printAnswer prints an answer, unless its text was shown already, and its
// references and notes.
func printAnswer(env *environment, a answered) {
	if !a.shown {
		terminal.PrintMarkdown(env.Stdout, env.Getenv, a.Answer.Answer)
	}
	if len(a.References) > 0 {
		env.printf("\nReferences\n")
	}
	for _, r := range a.References {
		env.printf("  [%d] %s: %s", r.N, strings.ToLower(string(r.Kind)), r.Title)
		switch {
		case r.Document == "":
		case r.Quote == "":
			env.printf(" — %s, no matching sentence", r.Document)
		case r.Approximate:
			env.printf(" — %s, approximately bytes %d to %d", r.Document, r.Start, r.End)
		default:
			env.printf(" — %s, bytes %d to %d", r.Document, r.Start, r.End)
		}
		if r.Stale > 0 {
			env.printf(" (stale: %.0f %% of what it is written from is new)", max(1, 100*r.Stale))
		}
		if r.Corpus != a.Corpus {
			env.printf(" (corpus %s)", r.Corpus)
		}
		env.printf("\n")
	}
	for _, n := range a.Notes {
		env.printf("%s\n", n)
	}
}

// printChoice prints which method auto chose, and with explain the features of the
// question that decided.
func printChoice(env *environment, choice *route.Choice, explain bool) {
	if choice == nil {
		return
	}
	env.printf("\nauto chose %s: %s.\n", choice.Method, strings.TrimSuffix(choice.Why, "."))
	if !explain {
		return
	}
	f := choice.Features
	list := func(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }
	for _, line := range [][2]string{
		{"chosen by", choice.By},
		{"broad question", strconv.FormatBool(f.Overview)},
		{"broad words", list(f.Broad)},
		{"known entities", list(f.Names)},
		{"asks for identity", strconv.FormatBool(f.Identity)},
		{"relation words", list(f.Relates)},
		{"exact words", strconv.FormatBool(f.Quote)},
		{"asks for a fact", cmp.Or(f.Asks, "none")},
		{"entities found", strconv.Itoa(f.Entities)},
		{"chunks found", strconv.Itoa(f.Chunks)},
		{"reports", strconv.FormatBool(f.Reports)},
	} {
		env.printf("  %-18s %s\n", line[0], line[1])
	}
}

// lightShown is how many nodes of each kind are printed.
const lightShown = 10

// printLight prints what light searched for and found.
func printLight(env *environment, t query.LightTrace) {
	list := func(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }
	env.printf("\nlight searched as %s, with keywords by %s.\n", t.Mode, t.Keywords.By)
	env.printf("  %-15s %s\n  %-15s %s\n", "low-level", list(t.Keywords.Low), "high-level", list(t.Keywords.High))
	for _, kind := range []struct {
		name string
		hits []query.LightHit
	}{{"entities", t.Entities}, {"relationships", t.Relationships}, {"neighbours", t.Neighbours}, {"chunks", t.Chunks}} {
		env.printf("  %d %s\n", len(kind.hits), kind.name)
		for _, h := range kind.hits[:min(lightShown, len(kind.hits))] {
			env.printf("    %6.3f  %s\n", h.Score, h.Name)
		}
	}
}
