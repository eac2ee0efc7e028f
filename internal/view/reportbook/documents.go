package reportbook

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// A Source is a document that references of a report are from.
type Source struct {
	Key        string `json:"key"`
	Title      string `json:"title"`
	URI        string `json:"uri"`
	References int    `json:"references"` // whose text is in it
}

// addDocuments adds to reports the documents that their references are from, given the key of the
// document of each cited node. A report that a reference points to is from no single document.
func (b *Book) addDocuments(ctx context.Context, reports []Report, of map[graph.Reference]string) error {
	sources := map[string]Source{}
	var refs []graph.Reference
	for _, ref := range citedNodes(reports) {
		if key := of[ref]; key != "" && sources[key].Key == "" {
			sources[key] = Source{Key: key, Title: graph.Local(key)}
			refs = append(refs, graph.Reference{Kind: graph.KindDocument, Key: key})
		}
	}
	err := b.readEvidence(ctx, refs, func(ev neo4jstore.Evidence) error {
		sources[ev.Key] = Source{Key: ev.Key, Title: cmp.Or(ev.Title, graph.Local(ev.Key)), URI: ev.DocumentURI}
		return nil
	})
	for i, r := range reports {
		counts := map[string]int{}
		for _, c := range r.References {
			if key := of[graph.Reference{Kind: c.Kind, Key: c.Key}]; key != "" {
				counts[key]++
			}
		}
		for key, n := range counts {
			s := sources[key]
			s.References = n
			reports[i].Documents = append(reports[i].Documents, s)
		}
		slices.SortFunc(reports[i].Documents, func(a, b Source) int {
			return cmp.Or(cmp.Compare(b.References, a.References), cmp.Compare(a.Key, b.Key))
		})
	}
	return err
}

// shownDocuments is how many documents of a report its text names.
const shownDocuments = 3

// from returns a line that names the documents of a report, "" if there is none.
func (r Report) from() string {
	titles := make([]string, 0, shownDocuments+1)
	for _, d := range r.Documents[:min(shownDocuments, len(r.Documents))] {
		titles = append(titles, text.OneLine(d.Title))
	}
	if more := len(r.Documents) - len(titles); more > 0 {
		titles = append(titles, text.Count(more, "other document", "other documents"))
	}
	if len(titles) == 0 {
		return ""
	}
	return "From " + text.JoinAnd(titles)
}
