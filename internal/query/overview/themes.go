package overview

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	themeRead    = 200 // entities that themes are chosen from
	themePhrases = 3   // of one community
	minThemes    = 3   // fewer say less than the reports do
	// minThemeChunks is how many chunks mention a theme at least, and phraseShare the share of the
	// chunks of the first phrase of a community that another one of it needs.
	minThemeChunks = 2
	phraseShare    = .25
	// placeShare is the share of the chunks of the first theme that a common noun for a place, such as
	// garden, needs: any story has a house and a street.
	placeShare = .5
)

// A theme is the things of one community that most chunks mention, as phrases.
type theme []graph.Entity

// themes lists the things and events that most chunks mention, grouped by community, after the first
// sentences of introductions.
func themes(ctx context.Context, r query.Request) (Overview, error) {
	read, err := readOverview(ctx, r.Reader, nil, 0)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Lead: leadOf(read)}
	found, err := readThemes(ctx, r.Reader, r.Level.Number(), themeRead)
	if err != nil {
		return Overview{}, err
	}
	for _, t := range groupThemes(found) {
		var names []string
		for _, e := range t {
			names = append(names, e.Name)
		}
		item := entityItem(t[0], tellingSentence(t[0].Description, names...))
		names[0] = upperFirst(names[0])
		item.Label = strings.Join(names, ", ") + " (" + text.Count(t[0].Frequency, "source", "sources") + ")"
		o.add(item, t[0].NTokens)
	}
	if len(o.Draft.Items) < minThemes {
		o.Draft.Items = nil
	}
	chunks, err := introductions(ctx, r.Reader)
	if err != nil {
		return Overview{}, err
	}
	themes := o.Draft.Items
	o.Draft.Items = nil
	o.addOpenings(chunks)
	o.Draft.Items = append(o.Draft.Items, themes...)
	return o, nil
}

// groupThemes returns at most overviewEntities themes, in the order of what is in them first. What
// shares a word with something before it is left out.
func groupThemes(found []neo4jstore.Theme) []theme {
	var out []theme
	at, listed := map[string]int{}, textproc.TermSet{}
	for _, f := range chooseThemes(found) {
		terms := textproc.TermSetOf(f.Name)
		if terms.Shared(listed) > 0 {
			continue
		}
		i, known := at[f.Community]
		switch {
		case !known || f.Community == "":
			at[f.Community] = len(out)
			out = append(out, theme{f.Entity})
		case len(out[i]) < themePhrases && float64(f.Frequency) >= phraseShare*float64(out[i][0].Frequency):
			out[i] = append(out[i], f.Entity)
		default:
			continue
		}
		for t := range terms {
			listed.Add(t)
		}
	}
	return out[:min(overviewEntities, len(out))]
}

// chooseThemes returns the entities that may be themes, in their order.
func chooseThemes(found []neo4jstore.Theme) []neo4jstore.Theme {
	var out []neo4jstore.Theme
	for _, f := range found {
		if !isTheme(f.Entity) || len(out) > 0 && isPlace(f.Name) && float64(f.Frequency) < placeShare*float64(out[0].Frequency) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// isPlace reports whether the noun that a name ends with is one for a place.
func isPlace(name string) bool {
	words := strings.Fields(strings.ToLower(name))
	return len(words) > 0 && textproc.ClassOf(textproc.Singular(words[len(words)-1]))&textproc.PlaceNoun != 0
}

// isTheme reports whether an entity may be a theme: it is an event or concept, or a common noun. Names
// of places, people and organizations are not, nor are things that any place has, such as a door.
func isTheme(e graph.Entity) bool {
	if e.Frequency < minThemeChunks || e.Description == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(e.Name)
	if (e.Type == "location" || e.Type == "organization") && !unicode.IsLower(first) {
		return false
	}
	const everywhere = textproc.EverydayNoun | textproc.PlaceNoun
	class := textproc.ClassOf(textproc.Singular(strings.ToLower(e.Name)))
	return class&textproc.GivenName == 0 && (class&everywhere != everywhere || class&textproc.LocationSuffix != 0)
}

// upperFirst makes the first letter a capital.
func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
