package export

import (
	"cmp"
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// table writes a file: the header, then the rows that rows adds. Unless the cells are raw,
// no spreadsheet runs one as a formula.
func (w *writer) table(name string, header []string, rows func(add func(...string)) error) error {
	return w.file(name, func() error {
		if w.bom {
			w.print("\ufeff")
		}
		out := csv.NewWriter(w)
		_ = out.Write(header) // errors are kept until the end
		err := rows(func(cells ...string) {
			for i := range cells {
				if !w.raw {
					cells[i] = sanitize.Cell(storable(cells[i]))
				}
			}
			_ = out.Write(cells)
		})
		out.Flush()
		return cmp.Or(err, out.Error())
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
	for level := range w.drawing.Levels {
		header = append(header, "community_"+formatInt(level))
	}
	return w.table("entities.csv", header, func(add func(...string)) error {
		return w.nodes(func(n Node) {
			cells := []string{
				graph.Local(n.Key), n.Name, n.Type, n.Description, formatInt(n.Degree), formatInt(n.Frequency),
				n.Color.Hex(), formatDecimal(n.X), formatDecimal(n.Y), formatDecimal(2 * n.R),
			}
			_, labels := w.communityNames(n)
			labels = append(labels, make([]string, w.drawing.Levels-len(labels))...)
			add(append(cells, labels...)...)
		})
	})
}

func (w *writer) csvRelationships() error {
	header := []string{"key", "source", "target", "source_name", "target_name", "weight", "strength", "description", "keywords"}
	return w.table("relationships.csv", header, func(add func(...string)) error {
		return w.edges(func(r graph.Relationship) {
			add(graph.Local(r.Key), graph.Local(r.Source), graph.Local(r.Target), r.SourceName, r.TargetName,
				formatInt(r.Weight), formatDecimal(float64(r.Strength)/100), r.Description, strings.Join(r.Keywords, ", "))
		})
	})
}

func (w *writer) csvCommunities() error {
	header := []string{"key", "label", "level", "parent", "title", "entities", "weight", "final", "color", "x", "y", "radius"}
	return w.table("communities.csv", header, func(add func(...string)) error {
		for _, c := range w.drawing.Communities {
			add(graph.Local(c.Key), c.Label, formatInt(c.Level), graph.Local(c.Parent), c.Title, formatInt(c.Size), formatInt(c.Weight), strconv.FormatBool(c.Final),
				c.Color.Hex(), formatDecimal(c.X), formatDecimal(c.Y), formatDecimal(c.R))
		}
		return nil
	})
}

func (w *writer) csvReports() error {
	header := []string{"community", "label", "level", "title", "rating", "summary", "content"}
	return w.table("reports.csv", header, func(add func(...string)) error {
		return w.reports(func(r graph.Report, c *Community) {
			add(graph.Local(c.Key), c.Label, formatInt(r.Level), r.Title, formatDecimal(r.Rating), r.Summary, r.FullContent)
		})
	})
}

func (w *writer) csvFindings() error {
	header := []string{"community", "label", "order", "summary", "explanation"}
	return w.table("findings.csv", header, func(add func(...string)) error {
		return w.reports(func(r graph.Report, c *Community) {
			for i, f := range r.Findings {
				add(graph.Local(c.Key), c.Label, formatInt(i), f.Summary, f.Explanation)
			}
		})
	})
}
