package cite

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// An Item is one line of an extractive answer: a statement, and other statements that say
// the same and are cited as well.
type Item struct {
	Statement

	Also  []Statement
	Label string // what the text is about, set before it in bold
	Bold  string // words of the text that are set in bold, if any
}

// Extracted returns an answer that lists items in their order, each followed by its
// citations. With headings, consecutive items with one title follow it. An item
// without evidence is left out and counted as dangling.
func (r Resolver) Extracted(ctx context.Context, items []Item, headings bool, known Known) (Answer, error) {
	var all []Statement
	for _, it := range items {
		all = append(append(all, it.Statement), it.Also...)
	}
	refs, err := r.resolve(ctx, all, known)
	if err != nil {
		return Answer{}, fmt.Errorf("resolve references: %w", err)
	}
	var a Answer
	var kept []Item
	var cited [][]resolved // of each item kept
	for _, it := range items {
		own := distinct(refs[:1+len(it.Also)])
		refs = refs[1+len(it.Also):]
		if len(own) == 0 {
			a.Dangling++
			continue
		}
		var removed int
		it.Text, removed = SanitizeSource(it.Text)
		it.Title = SanitizeTitle(it.Title)
		a.Dangling += removed
		if it.Text == "" {
			continue
		}
		kept, cited = append(kept, it), append(cited, own)
	}
	numbers, references := numberReferences(cited)
	for i, own := range cited {
		for k, ref := range own {
			a.Citations = append(a.Citations, ref.citation(numbers[i][k], kept[i].Text))
		}
	}
	a.References, a.Text = references, list(kept, headings, numbers)
	if err := r.place(ctx, &a); err != nil {
		return Answer{}, fmt.Errorf("place quotes: %w", err)
	}
	return a, nil
}

// distinct returns the references that resolved, each place of a document once:
// chunks overlap, and several reports quote the same words. Those without a quote are left out
// if others have one.
func distinct(refs []resolved) []resolved {
	var out []resolved
	for _, ref := range refs {
		repeated := slices.ContainsFunc(out, func(o resolved) bool {
			return o.Document == ref.Document && o.Start < ref.End && ref.Start < o.End
		})
		if ref.Key != "" && !repeated {
			out = append(out, ref)
		}
	}
	if slices.ContainsFunc(out, func(ref resolved) bool { return ref.Quote != "" }) {
		out = slices.DeleteFunc(out, func(ref resolved) bool { return ref.Quote == "" })
	}
	return out
}

// numberReferences numbers references from 1 in the order of the items that cite
// them; equal ones share a number.
func numberReferences(cited [][]resolved) (numbers [][]int, refs []Reference) {
	numberOf := map[Reference]int{}
	numbers = make([][]int, len(cited))
	for i, own := range cited {
		for _, found := range own {
			ref := found.Reference
			n, ok := numberOf[ref]
			if !ok {
				n = len(refs) + 1
				numberOf[ref] = n
				ref.N = n
				refs = append(refs, ref)
			}
			numbers[i] = append(numbers[i], n)
		}
	}
	return numbers, refs
}

// list writes items as a Markdown list, under their titles with headings.
func list(items []Item, headings bool, numbers [][]int) string {
	var b strings.Builder
	title := ""
	for i, it := range items {
		if headings && (i == 0 || it.Title != title) {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "**%s**\n\n", it.Title)
			title = it.Title
		}
		b.WriteString("- ")
		if label := SanitizeTitle(it.Label); label != "" {
			fmt.Fprintf(&b, "**%s**: ", label)
		}
		fmt.Fprintf(&b, "%s ", inBold(it.Text, it.Bold))
		for _, n := range numbers[i] {
			fmt.Fprintf(&b, "[%d]", n)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// inBold sets words in bold, unless the text has other marks already.
func inBold(text, words string) string {
	at := strings.Index(text, words)
	if words == "" || at < 0 || strings.ContainsAny(text, "*_`") {
		return text
	}
	return text[:at] + "**" + words + "**" + text[at+len(words):]
}
