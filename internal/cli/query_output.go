package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
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
		if r.Document != "" {
			env.printf(" — %s", placesOf(r, a.Citations))
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

// printWriter reports that no model wrote an answer, and how to have one write it.
func printWriter(env *environment, a query.Answer) {
	if a.WrittenBy == query.ByRules && len(a.References) > 0 {
		env.printf("\nThese sentences were chosen without a model. To have an answer written, name a chat model: --base-url URL --model NAME, or OPENAI_API_KEY, without --offline.\n")
	}
}

// placesOf returns where the words are that an answer cites by a reference: that of the
// reference first, then those of its other citations.
func placesOf(r cite.Reference, citations []cite.Citation) string {
	place := func(document string, p cite.Place, start, end int, approximate bool) string {
		about := ""
		if approximate {
			about = "approximately "
		}
		return fmt.Sprintf("%s, %s%s", document, about, p.Describe(start, end))
	}
	if r.Quote == "" {
		return r.Document + ", no matching sentence"
	}
	places := []string{place(r.Document, r.Place, r.Start, r.End, r.Approximate)}
	for _, c := range citations {
		if c.N != r.N || c.Quote == "" {
			continue
		}
		if p := place(c.Document, c.Place, c.Start, c.End, c.Match == cite.Approximate); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return strings.Join(places, "; ")
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
	for _, line := range [][2]string{
		{"chosen by", choice.By},
		{"broad question", strconv.FormatBool(f.Overview)},
		{"broad words", listOrNone(f.Broad)},
		{"known entities", listOrNone(f.Names)},
		{"asks for identity", strconv.FormatBool(f.Identity)},
		{"relation words", listOrNone(f.Relates)},
		{"comparing words", listOrNone(f.Compares)},
		{"exact words", strconv.FormatBool(f.Quote)},
		{"asks for a fact", cmp.Or(f.Asks, "none")},
		{"entities found", strconv.Itoa(f.Entities)},
		{"chunks found", strconv.Itoa(f.Chunks)},
		{"reports", strconv.FormatBool(f.Reports)},
	} {
		env.printf("  %-18s %s\n", line[0], line[1])
	}
}

// listOrNone joins words with commas.
func listOrNone(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }

// printTraces prints what the method searched for and found.
func printTraces(env *environment, a query.Answer) {
	if a.Light != nil {
		printLight(env, *a.Light)
	}
	if a.Fused != nil {
		printFused(env, *a.Fused)
	}
	if a.Linear != nil {
		printLinear(env, *a.Linear)
	}
	if a.PPR != nil {
		printPPR(env, *a.PPR)
	}
	if a.Mini != nil {
		printMini(env, *a.Mini)
	}
	if a.KGR != nil {
		printKGR(env, *a.KGR)
	}
	if a.Lazy != nil {
		printLazy(env, *a.Lazy)
	}
	if a.Pairs != nil {
		printPairs(env, *a.Pairs)
	}
	for i, passage := range a.Passages {
		if i == 0 {
			env.printf("\n%s searched for the question and for what the model wrote, which is not evidence:\n", a.Method)
		}
		env.printf("    %s\n", passage)
	}
	if a.Refinement != nil {
		env.printf("\nrq searched for the question, and for %d that the model made of it (%s):\n", len(a.Refinement.Questions), a.Refinement.Kind)
		for _, question := range a.Refinement.Questions {
			env.printf("    %s\n", question)
		}
	}
}

// lightShown is how many nodes of each kind are printed.
const lightShown = 10

// printLight prints what light searched for and found.
func printLight(env *environment, t query.LightTrace) {
	env.printf("\nlight searched as %s, with keywords by %s.\n", t.Mode, t.Keywords.By)
	env.printf("  %-15s %s\n  %-15s %s\n", "low-level", listOrNone(t.Keywords.Low), "high-level", listOrNone(t.Keywords.High))
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

// printFused prints what each path of fused gave to each source.
func printFused(env *environment, t query.FusedTrace) {
	env.printf("\nfused compared %d sources; each score is relative to the best, and a sum of what paths add:\n", len(t.Sources))
	for _, s := range t.Sources[:min(lightShown, len(t.Sources))] {
		var paths []string
		for _, path := range slices.Sorted(maps.Keys(s.Paths)) {
			paths = append(paths, fmt.Sprintf("%s %.2f", path, s.Paths[path]))
		}
		env.printf("    %6.3f  %s: %s\n", s.Score, s.Name, strings.Join(paths, ", "))
	}
}

// printLinear prints what linear went through.
func printLinear(env *environment, t query.LinearTrace) {
	env.printf("\nlinear activated %d entities over %d sentences:\n", len(t.Entities), len(t.Sentences))
	for _, e := range t.Entities[:min(lightShown, len(t.Entities))] {
		env.printf("    %6.3f  %s, hop %d\n", e.Score, e.Name, e.Hop)
	}
	for _, s := range t.Sentences[:min(lightShown, len(t.Sentences))] {
		env.printf("    %6.3f  %s\n", s.Cosine, text.OneLine(s.Text))
	}
	printSources(env, t.Sources, "their share of the walks", 4)
}

// printPPR prints what ppr started from.
func printPPR(env *environment, t query.PPRTrace) {
	env.printf("\nppr found %d relationships:\n", len(t.Facts))
	for _, f := range t.Facts {
		kept := ""
		if !f.Kept {
			kept = " (not used)"
		}
		env.printf("    %6.3f  %s \u2014 %s%s: %s\n", f.Score, f.Source, f.Target, kept, text.Shorten(text.OneLine(f.Description), 120))
	}
	env.printf("  walks from %d entities\n", len(t.Entities))
	for _, e := range t.Entities {
		env.printf("    %6.3f  %s\n", e.Weight, e.Name)
	}
	printSources(env, t.Sources, "their share of the walks", 4)
}

// printSources prints the best sources with what their scores are, to some decimals.
func printSources(env *environment, sources []query.ScoredSource, scores string, decimals int) {
	env.printf("  %d sources by %s\n", len(sources), scores)
	printScored(env, sources, decimals)
}

// printScored prints the first of what a method ranked.
func printScored(env *environment, list []query.ScoredSource, decimals int) {
	for _, s := range list[:min(lightShown, len(list))] {
		env.printf("    %6.*f  %s\n", decimals, s.Score, s.Name)
	}
}

// printLazy prints what lazy tested.
func printLazy(env *environment, t query.LazyTrace) {
	env.printf("\nlazy tested %d chunks of at most %d:\n", t.Tests, t.Budget)
	for _, k := range t.Communities {
		env.printf("    %-10s %d of %d relevant\n", cmp.Or(k.Label, k.Key, "all chunks"), k.Relevant, k.Tests)
	}
	env.printf("    %-10s %d of %d relevant\n", "neighbours", t.Neighbours.Relevant, t.Neighbours.Tests)
	printSources(env, t.Sources, "their similarity", 3)
}

// printMini prints what mini searched for and started from.
func printMini(env *environment, t query.MiniTrace) {
	env.printf("\nmini searched for what the question names, by %s: %s; types of the answer: %s\n", t.By, listOrNone(t.Entities), listOrNone(t.Types))
	for _, c := range t.Candidates {
		env.printf("    %6.3f  %s: %s, %d paths\n", c.Score, c.Asked, c.Name, c.Paths)
	}
	printSources(env, t.Sources, "the votes of paths", 3)
}

// printKGR prints what kgr found.
func printKGR(env *environment, t query.KGRTrace) {
	env.printf("\nkgr searched the documents nearest to the question, and those that are linked to them as similar:\n")
	printScored(env, t.Documents, 3)
	env.printf("  %d entities in them by their similarity to the question\n", len(t.Entities))
	printScored(env, t.Entities, 3)
	env.printf("  %d relationships of these\n", len(t.Relationships))
	printScored(env, t.Relationships, 3)
	printSources(env, t.Sources, "the entities that they mention", 3)
}
