package resolve

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
)

// describeVersion changes when the offline rules give different descriptions.
const (
	describeVersion = "2"
	repeatsVersion  = "1" // with Options.KeepsRepeated
)

// Options bound a description. The zero value takes the defaults.
type Options struct {
	MaxFragments    int // fragments that are joined without summarising; 0 means 8
	MaxTokens       int // tokens of a description; 0 means 500
	MaxDescriptions int // distinct descriptions that are considered; 0 means 64
	// KeepsRepeated keeps sentences of joined descriptions that repeat others, as for corpora of earlier
	// editions.
	KeepsRepeated bool
}

// Limits returns the options with defaults filled in.
func (o Options) Limits() Options {
	o.MaxFragments, o.MaxTokens, o.MaxDescriptions = cmp.Or(o.MaxFragments, 8), cmp.Or(o.MaxTokens, 500), cmp.Or(o.MaxDescriptions, 64)
	return o
}

// Fingerprint hashes the options with defaults filled in.
func (o Options) Fingerprint() string {
	o = o.Limits()
	version := describeVersion
	if o.KeepsRepeated {
		version = repeatsVersion
	}
	return graph.Hash("describe", version, strconv.Itoa(o.MaxFragments), strconv.Itoa(o.MaxTokens), strconv.Itoa(o.MaxDescriptions))
}

// Fragments returns the distinct descriptions of all mentions, the most frequent
// first, ties in byte order. If there are more than MaxDescriptions, those with
// the smallest hashes are kept, so that a new document rarely changes the
// fragments of a hub.
func Fragments(descriptions [][]string, o Options) []string {
	n := map[string]int{}
	for _, d := range descriptions {
		addCounts(n, d)
	}
	fragments := byCount(n)
	limit := o.Limits().MaxDescriptions
	if len(fragments) <= limit {
		return fragments
	}
	hashes := make(map[string]string, len(fragments))
	for _, f := range fragments {
		hashes[f] = graph.Hash(f)
	}
	byHash := slices.SortedFunc(slices.Values(fragments), func(a, b string) int { return cmp.Compare(hashes[a], hashes[b]) })
	last := hashes[byHash[limit-1]]
	return slices.DeleteFunc(fragments, func(f string) bool { return hashes[f] > last })
}

// A Describer merges several descriptions into one without a model.
type Describer struct {
	Options
	Counter *tokens.Counter
}

// Fingerprint covers the options and the encoding in which limits are counted.
func (d Describer) Fingerprint() string {
	return graph.Hash(d.Options.Fingerprint(), "extractive", d.Counter.Name())
}

// Describe merges the fragments, in the order of Fragments, into one description.
// A single fragment is returned unchanged. Several are joined, each ending with a
// full stop and without sentences that repeat others, if they fit the limits; otherwise the most central of their
// sentences are kept. The result depends only on the fragments, never on an older
// description.
func (d Describer) Describe(ctx context.Context, name string, fragments []string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if joined, fits := d.join(name, fragments); fits {
		return joined, nil
	}
	return d.summary(withFullStops(fragments), d.Limits().MaxTokens), nil
}

// join joins the descriptions of something and reports whether the result fits the limits.
func (d Describer) join(name string, fragments []string) (string, bool) {
	if len(fragments) <= 1 {
		return strings.Join(fragments, ""), true
	}
	o := d.Limits()
	joined := strings.Join(withFullStops(fragments), " ")
	if !o.KeepsRepeated {
		joined = withoutRepeated(name, withFullStops(fragments))
	}
	return joined, len(fragments) <= o.MaxFragments && d.Counter.Count(joined) <= o.MaxTokens
}

// summary joins the most central sentences that fit into the limit. The order of
// the fragments does not matter.
func (d Describer) summary(fragments []string, limit int) string {
	var sentences []string
	seen := map[string]bool{}
	for _, f := range fragments {
		for _, span := range textproc.Sentences(f) {
			s := fullStop(text.OneLine(f[span.Start:span.End]))
			if key := Normalise(s); !seen[key] {
				seen[key] = true
				sentences = append(sentences, s)
			}
		}
	}
	slices.Sort(sentences) // so that centrality does not depend on the order of fragments
	left := limit
	var kept []string
	scores := map[string]float64{}
	for i, score := range textproc.Centrality(sentences) {
		scores[sentences[i]] = score
	}
	ranked := slices.SortedFunc(slices.Values(sentences), func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	for _, s := range ranked {
		if n := d.Counter.Count(" " + s); n <= left {
			kept = append(kept, s)
			left -= n
		}
	}
	if len(kept) == 0 { // every sentence is too long, or the text has none
		return strings.TrimSpace(d.Counter.Cut(strings.Join(append(ranked, slices.Sorted(slices.Values(fragments))...), " "), limit))
	}
	return strings.Join(kept, " ")
}

func withFullStops(fragments []string) []string {
	ended := make([]string, len(fragments))
	for i, f := range fragments {
		ended[i] = fullStop(f)
	}
	return ended
}

// fullStop adds a full stop to s unless s already ends like a sentence.
func fullStop(s string) string {
	s = strings.TrimSpace(s)
	end := strings.TrimRightFunc(s, func(r rune) bool { return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' })
	if end == "" || strings.ContainsAny(end[len(end)-1:], ".!?") || strings.HasSuffix(end, "…") || strings.HasSuffix(end, "。") {
		return s
	}
	return strings.TrimRight(s, ",;:-– ") + "."
}
