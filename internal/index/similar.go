package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// Names are how the names of a corpus are resolved. It is stored with the corpus: the zero value
// keeps it, and means NamesExact in a new one.
type Names string

// The ways to resolve names.
const (
	// NamesExact joins names that are equal, or that rules fold.
	NamesExact Names = "exact"
	// NamesSimilar also joins similar names: those that the model confirms, without a model
	// those that strict rules find.
	NamesSimilar Names = "similar"
)

// Validate returns an error for any other value.
func (n Names) Validate() error {
	if n != "" && n != NamesExact && n != NamesSimilar {
		return fmt.Errorf("names are resolved as %s or %s, not %q", NamesExact, NamesSimilar, string(n))
	}
	return nil
}

// NamesOf returns how the names of a corpus are resolved.
func NamesOf(c neo4jstore.Corpus) Names {
	return cmp.Or(Names(c.Settings[resolveSetting]), NamesExact)
}

const (
	resolveSetting = "resolve" // the Names of a corpus, nothing for NamesExact
	similarSetting = "similar" // how the similar names of a corpus were joined
)

// confirmVersion changes when names that the model has confirmed are joined in another way.
const confirmVersion = "confirmed-1"

// asksNames reports whether the model confirms similar names.
func (e *effective) asksNames() bool { return e.joinsSimilar() && e.Model != nil }

// joinsSimilar reports whether similar names are joined.
func (e *effective) joinsSimilar() bool { return e.Names == NamesSimilar }

// similarVersion returns how similar names are joined, "" if they are not.
func similarVersion(e *effective) string {
	switch {
	case e.asksNames():
		return confirmVersion
	case e.joinsSimilar():
		return resolve.SimilarVersion
	}
	return ""
}

// similarIsDue reports whether the similar names of the corpus were joined in another way, or if
// some of them are not decided.
func (s *derivation) similarIsDue(c neo4jstore.Corpus) bool {
	return s.folds && c.Settings[similarSetting] != s.settings[similarSetting]
}

// confirm asks the model about pairs of similar names, of which one is new, and records the
// answers. It returns them, and whether all pairs are decided.
func (f *nameFolder) confirm(ctx context.Context, d graph.NameDecisions, due bool) ([]graph.NamePair, bool, error) {
	to := f.folder.Fold(d)
	groups := f.groups(to, d, due)
	if err := f.addNear(ctx, groups); err != nil {
		return nil, false, err
	}
	pairs := undecided(resolve.Candidates(groups), groups, d)
	if len(pairs) == 0 {
		return nil, true, nil
	}
	byName := map[string]resolve.Group{}
	for _, g := range groups {
		byName[g.Name] = g
	}
	unread := map[string]bool{}
	for _, p := range pairs {
		for _, g := range p {
			for _, n := range byName[g].Names {
				unread[n] = true
			}
		}
	}
	if err := f.readAll(ctx, f.unread(unread)); err != nil {
		return nil, false, err
	}
	return f.ask(ctx, pairs, byName)
}

// undecided returns the pairs of groups of which no names were asked about.
func undecided(pairs [][2]string, groups []resolve.Group, d graph.NameDecisions) [][2]string {
	of := map[string]string{}
	for _, g := range groups {
		for _, n := range g.Names {
			of[n] = g.Name
		}
	}
	decided := map[[2]string]bool{}
	for _, p := range d.Asked {
		a, b := of[p.A], of[p.B]
		decided[[2]string{min(a, b), max(a, b)}] = true
	}
	return slices.DeleteFunc(pairs, func(p [2]string) bool { return decided[p] })
}

// groups returns the names of each entity, as far as they may be joined with others. New are those
// with a name that no derived entity had, or all.
func (f *nameFolder) groups(to map[string]string, d graph.NameDecisions, all bool) []resolve.Group {
	groups, types := map[string]*resolve.Group{}, map[string]map[string]int{}
	for _, n := range slices.Sorted(maps.Keys(to)) {
		g := groups[to[n]]
		if g == nil {
			g = &resolve.Group{Name: to[n]}
			groups[g.Name], types[g.Name] = g, map[string]int{}
		}
		g.Names, g.New = append(g.Names, n), g.New || all || !f.derived[n]
		for t, count := range f.folder.Name(n).Types {
			types[g.Name][t] += count
		}
	}
	for name, g := range groups {
		g.Type = (&resolve.Name{Types: types[name]}).Type()
	}
	for _, e := range f.entities {
		if name := graph.Local(e.Key); !f.read[e.Key] && groups[name] == nil {
			names := slices.DeleteFunc(namesOf(e), func(n string) bool { return n == "" })
			slices.Sort(names)
			groups[name] = &resolve.Group{Name: name, Names: slices.Compact(names), Type: e.Type}
		}
	}
	for _, n := range d.Split {
		delete(groups, n)
	}
	out := make([]resolve.Group, 0, len(groups))
	for _, n := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, *groups[n])
	}
	return out
}

// An answered batch is pairs with the answers of the model, or the error.
type answered struct {
	pairs []graph.NamePair
	err   error
}

// errNoMoreNames ends the calls for names, but not the run.
var errNoMoreNames = errors.New("names are not asked about any more")

// ask asks about pairs of groups in batches, and records each answer before the next one is read. A
// call that fails leaves its pairs undecided.
func (f *nameFolder) ask(ctx context.Context, pairs [][2]string, groups map[string]resolve.Group) ([]graph.NamePair, bool, error) {
	confirmer := resolve.Confirmer{Chat: f.Model.Summarise, Prompts: f.Model.Prompts}
	breaker := &circuitBreaker{limit: 2 * f.Concurrency}
	var all []graph.NamePair
	var failed []string
	err := parallelMap(ctx, f.Concurrency, each(slices.Collect(slices.Chunk(pairs, resolve.PairsPerCall))), func(ctx context.Context, batch [][2]string) (answered, error) {
		shown := make([][2]resolve.Described, len(batch))
		for i, p := range batch {
			shown[i] = [2]resolve.Described{f.described(groups[p[0]]), f.described(groups[p[1]])}
		}
		same, err := confirmer.Confirm(ctx, shown)
		out := answered{err: err}
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		for i, yes := range same {
			out.pairs = append(out.pairs, graph.NamePair{A: batch[i][0], B: batch[i][1], Same: yes})
		}
		return out, nil
	}, func(done []answered) error {
		var stop error
		var got []graph.NamePair
		for _, a := range done {
			_, end := breaker.record(a.err)
			stop = errors.Join(stop, end)
			if a.err != nil {
				failed = append(failed, text.FirstLine(a.err.Error()))
			}
			got = append(got, a.pairs...)
		}
		if err := f.writer.WriteNamePairs(ctx, got); err != nil {
			return fmt.Errorf("record pairs of names: %w", err)
		}
		if all = append(all, got...); stop != nil {
			return fmt.Errorf("%w: %w", errNoMoreNames, stop) // a spent budget lets calls in flight end
		}
		return nil
	})
	if err != nil && !errors.Is(err, errNoMoreNames) {
		return nil, false, err
	}
	if left := len(pairs) - len(all); left > 0 {
		slices.Sort(failed)
		f.noteUndecided(left, failed[0])
	}
	return all, len(all) == len(pairs), nil
}

// noteUndecided notes that similar names are not joined because the model failed.
func (s *derivation) noteUndecided(pairs int, why string) {
	s.shared.addNote("%s of similar names could not be decided, and the next run asks again: %s", text.Count(pairs, "pair", "pairs"), why)
}

// described returns what the model is shown of a group.
func (f *nameFolder) described(g resolve.Group) resolve.Described {
	out := resolve.Described{Name: g.Name, Type: g.Type}
	if n := f.folder.Name(g.Name); n != nil {
		out.Name, out.Description = n.Shown(), n.Description
	}
	for _, name := range g.Names {
		if n := f.folder.Name(name); n != nil && out.Description == "" {
			out.Description = n.Description
		}
	}
	return out
}

// nearLeast is the cosine from which two names with their descriptions may be the same entity.
const nearLeast = .8

// addNear adds to the new groups those whose vectors are near, if an embedding model makes them.
// Without vectors, there are fewer candidates.
func (f *nameFolder) addNear(ctx context.Context, groups []resolve.Group) error {
	if !f.embedsLater() {
		return nil
	}
	var fresh []int
	for i := range groups {
		if groups[i].New {
			fresh = append(fresh, i)
		}
	}
	near, err := f.near(ctx, groups, fresh)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		f.Logger.WarnContext(ctx, "similar names are found without vectors", "error", err)
		return nil
	}
	for key, list := range near {
		slices.SortFunc(list, func(a, b resolve.Near) int {
			return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Name, b.Name))
		})
		groups[key].Near = list[:min(len(list), resolve.MaxSimilar)]
	}
	return nil
}

// prune deletes the pairs of names that nothing mentions any more.
func (f *nameFolder) prune(ctx context.Context, pairs []graph.NamePair) error {
	known := func(n string) bool {
		return f.folder.Name(n) != nil || slices.ContainsFunc(f.owners[n], func(e string) bool { return !f.read[e] })
	}
	var gone []graph.NamePair
	for _, p := range pairs {
		if !known(p.A) || !known(p.B) {
			gone = append(gone, p)
		}
	}
	if err := f.writer.DeleteNamePairs(ctx, gone); err != nil {
		return fmt.Errorf("delete pairs of names: %w", err)
	}
	return nil
}
