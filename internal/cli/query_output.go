package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
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

// printHints prints in one line how an answer was made, and how to see its source text. With detail it says
// more of it.
func printHints(env *environment, a query.Answer, trace string, detail bool) {
	rules := a.WrittenBy == query.ByRules && len(a.References) > 0
	method, _, _ := strings.Cut(a.Choice, ":")
	var hints []string
	if rules {
		hints = append(hints, "sentences chosen without a model")
	}
	if method != "" {
		hints = append(hints, method)
	}
	if len(a.References) > 0 {
		hints = append(hints, trace+" shows the source text of [1]")
	}
	if (rules || method != "") && !detail {
		hints = append(hints, "--verbose says more")
	}
	if len(hints) > 0 {
		env.printf("\n(%s)\n", strings.Join(hints, "; "))
	}
	if detail && rules {
		env.printf("To have an answer written, name a chat model: --base-url URL --model NAME, or OPENAI_API_KEY, without --offline.\n")
	}
	if detail && a.Choice != "" {
		env.printf("%s\n", a.Choice)
	}
}

// placesOf returns where the words are that an answer cites by a reference: the place of the
// reference first, then the places of its other citations.
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
