package neo4jstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A namedEntity is an entity with the names by which a chunk mentions it.
type namedEntity struct {
	key   string
	names []string
}

// SectionMentions reads in which sections of documents entities are mentioned, by their keys, in the order of
// documents and paths. The texts of the chunks stay in memory only for the time of a page.
func (s *Store) SectionMentions(ctx context.Context, corpus string, entities []string) (map[string][]graph.SectionMentions, error) {
	in := map[string][]namedEntity{} // by chunk
	err := eachOfMembers(ctx, s, corpus, readReportMentions, entities, func(row reportMentionsRow) {
		for _, item := range row.Mentions {
			if chunk, names, ok := mentionOf(item); ok {
				in[chunk] = append(in[chunk], namedEntity{row.Key, names})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	type place struct{ entity, document, path string }
	counts, titles := map[place]int{}, map[string]string{}
	err = batches(slices.Sorted(maps.Keys(in)), s.pageOf(sectionChunks), countRow, func(keys []string) error {
		return eachRow(ctx, s, readReportSections, corpus, map[string]any{"keys": keys}, func(row reportSectionsRow) {
			titles[row.Document] = row.Title
			for _, e := range in[row.Key] {
				for _, path := range row.paths(e.names) {
					counts[place{e.key, row.Document, path}]++
				}
			}
		})
	})
	if err != nil {
		return nil, err
	}
	found := map[string][]graph.SectionMentions{}
	for p, n := range counts {
		found[p.entity] = append(found[p.entity], graph.SectionMentions{Document: p.document, Title: titles[p.document], Path: p.path, N: n})
	}
	for _, sections := range found {
		slices.SortFunc(sections, func(a, b graph.SectionMentions) int {
			return cmp.Or(cmp.Compare(a.Document, b.Document), cmp.Compare(a.Path, b.Path))
		})
	}
	return found, nil
}

// sectionChunks is how many chunks are read together.
const sectionChunks = 1000

// mentionOf returns the chunk and the names of an item of a row.
func mentionOf(item any) (chunk string, names []string, ok bool) {
	fields, _ := item.([]any)
	if len(fields) != 2 {
		return "", nil, false
	}
	list, _ := fields[1].([]any)
	chunk, ok = fields[0].(string)
	return chunk, items[string](list), ok
}

// paths returns the paths of the sections of a chunk in which names occur; if the text has none of
// them as written, as where a line ends in a name, the path of the first section.
func (r *reportSectionsRow) paths(names []string) []string {
	pathAt := func(at int) string {
		i, found := slices.BinarySearch(r.HeadingStarts, at)
		if !found {
			i--
		}
		if i < 0 || i >= len(r.Headings) {
			return ""
		}
		return r.Headings[i]
	}
	var out []string
	for _, name := range names {
		if name == "" {
			continue
		}
		for from := 0; ; {
			at := strings.Index(r.Text[from:], name)
			if at < 0 {
				break
			}
			if path := pathAt(from + at); !slices.Contains(out, path) {
				out = append(out, path)
			}
			from += at + len(name)
		}
	}
	if len(out) == 0 {
		return []string{pathAt(0)}
	}
	return out
}
