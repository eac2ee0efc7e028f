package export

import (
	"encoding/csv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// table writes one file with a header.
func (w *writer) table(name string, header []string, rows func(add func(...string)) error) error {
	return w.file(name, func() error {
		out := csv.NewWriter(w)
		err := out.Write(header)
		if err != nil {
			return err
		}
		rerr := rows(func(cells ...string) {
			for i := range cells {
				cells[i] = clean(cells[i])
			}
			if err == nil {
				err = out.Write(cells)
			}
		})
		out.Flush()
		if rerr != nil {
			return rerr
		}
		if err == nil {
			err = out.Error()
		}
		return err
	})
}

// writeCSV writes RFC 4180 tables in UTF-8.
func writeCSV(w *writer) error {
	for _, table := range []func() error{w.csvEntities, w.csvRelationships, w.csvCommunities, w.csvReports, w.csvFindings} {
		if err := table(); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) csvEntities() error {
	header := []string{"key", "name", "type", "description", "degree", "frequency", "color", "x", "y", "size"}
	for level := range w.picture.Levels {
		header = append(header, "community_"+whole(level))
	}
	return w.table("entities.csv", header, func(add func(...string)) error {
		return w.nodes(func(n Node) {
			cells := []string{
				graph.Local(n.Key), n.Name, n.Type, n.Description, whole(n.Degree), whole(n.Frequency),
				n.Color.Hex(), real(n.X), real(n.Y), real(2 * n.R),
			}
			_, labels := w.communityNames(n)
			labels = append(labels, make([]string, w.picture.Levels-len(labels))...)
			add(append(cells, labels...)...)
		})
	})
}

func (w *writer) csvRelationships() error {
	header := []string{"key", "source", "target", "source_name", "target_name", "weight", "strength", "description", "keywords"}
	return w.table("relationships.csv", header, func(add func(...string)) error {
		return w.edges(func(r graph.Relationship) {
			add(graph.Local(r.Key), graph.Local(r.Source), graph.Local(r.Target), r.SourceName, r.TargetName,
				whole(r.Weight), real(float64(r.Strength)/100), r.Description, strings.Join(r.Keywords, ", "))
		})
	})
}

func (w *writer) csvCommunities() error {
	header := []string{"key", "label", "level", "parent", "title", "entities", "weight", "final", "color", "x", "y", "radius"}
	return w.table("communities.csv", header, func(add func(...string)) error {
		for _, c := range w.picture.Communities {
			final := "false"
			if c.Final {
				final = "true"
			}
			add(graph.Local(c.Key), c.Label, whole(c.Level), graph.Local(c.Parent), c.Title, whole(c.Size), whole(c.Weight), final,
				c.Color.Hex(), real(c.X), real(c.Y), real(c.R))
		}
		return nil
	})
}

func (w *writer) csvReports() error {
	header := []string{"community", "label", "level", "title", "rating", "summary", "content"}
	return w.table("reports.csv", header, func(add func(...string)) error {
		return w.reports(func(r graph.Report, c *Community) {
			add(graph.Local(c.Key), c.Label, whole(r.Level), r.Title, real(r.Rating), r.Summary, r.FullContent)
		})
	})
}

func (w *writer) csvFindings() error {
	header := []string{"community", "label", "order", "summary", "explanation"}
	return w.table("findings.csv", header, func(add func(...string)) error {
		return w.reports(func(r graph.Report, c *Community) {
			for i, f := range r.Findings {
				add(graph.Local(c.Key), c.Label, whole(i), f.Summary, f.Explanation)
			}
		})
	})
}
