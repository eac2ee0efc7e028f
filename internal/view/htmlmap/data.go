package htmlmap

import (
	"bufio"
	"encoding/json"
	"math"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/export"
)

// grid is the largest coordinate of a place.
const grid = 65535

// A dataWriter writes the data of a page:
//
//	{corpus, documents, unit, communities: [[label, title, level, up, entities, colour, x, y, r]],
//	 entities: [[name, type, home, x, y, degree, mentions, description, [quote, document, ...]]], none,
//	 edges: [[a, b, weight, description]], reports: [[community, rating, summary, [[title, text]], [[n, kind, target, title, quote, document]]]],
//	 texts: [...], types: [...]}
//
// Coordinates are integers, and unit is the length of 1. Descriptions, quotes and
// titles of documents are indexes of texts, types are indexes of types, and -1 is
// none. The target of a reference is an entity (kind "e") or an edge ("r").
type dataWriter struct {
	out        *bufio.Writer
	source     Source
	drawing    *export.Drawing
	budget     budget
	texts      interner
	types      interner
	quotes     map[int32][]int32
	edges      map[string]int32 // index of each relationship, by key
	citedTexts map[citedNode]citedText
	unit       float64
	left       float64
	top        float64
	err        error
}

// A citedNode is a node that reports cite. A citedText is what is shown of it: its
// title, and the indexes of a quote and of the title of the document.
type (
	citedNode struct {
		kind graph.Kind
		key  string
	}
	citedText struct {
		title          string
		text, document int32
	}
)

// An interner numbers texts, each once.
type interner struct {
	indexes map[string]int32
	list    []string
}

func (t *interner) index(text string) int32 {
	if text == "" {
		return -1
	}
	i, ok := t.indexes[text]
	if !ok {
		if t.indexes == nil {
			t.indexes = map[string]int32{}
		}
		i = int32(len(t.list))
		t.indexes[text] = i
		t.list = append(t.list, text)
	}
	return i
}

func writeData(out *bufio.Writer, s Source) error {
	p, err := export.Draw(s.Graph)
	if err != nil {
		return err
	}
	w := &dataWriter{out: out, source: s, drawing: p, quotes: map[int32][]int32{}, edges: map[string]int32{}, citedTexts: map[citedNode]citedText{}}
	w.budget = newBudget(p.NumEntities(), len(p.Communities), p.Edges())
	w.left, w.top, w.unit = bounds(p)
	if err := w.readQuotes(); err != nil {
		return err
	}
	if err := w.readCited(); err != nil {
		return err
	}
	w.writeString(`{"corpus":`)
	w.writeJSON(s.Corpus)
	w.writeString(`,"documents":`)
	w.writeJSON(s.Documents)
	w.writeString(`,"unit":`)
	w.writeJSON(math.Round(w.unit*1e6) / 1e6)
	for _, section := range []struct {
		name  string
		write func(*array) error
	}{{"communities", w.communities}, {"entities", w.entities}, {"edges", w.relationships}, {"reports", w.reports}} {
		w.writeString(`,"` + section.name + `":[`)
		if err := section.write(&array{w: w}); err != nil {
			return err
		}
		w.writeString("]")
	}
	w.writeString(`,"texts":`)
	w.writeJSON(append([]string{}, w.texts.list...))
	w.writeString(`,"types":`)
	w.writeJSON(append([]string{}, w.types.list...))
	w.writeString("}")
	return w.err
}

// bounds returns the corner of the square around all circles, and the unit of the grid.
func bounds(p *export.Drawing) (left, top, unit float64) {
	left, top = math.Inf(1), math.Inf(1)
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, c := range p.Circles() {
		left, right = min(left, c.X-c.R), max(right, c.X+c.R)
		top, bottom = min(top, c.Y-c.R), max(bottom, c.Y+c.R)
	}
	if left > right {
		return 0, 0, 1
	}
	return left, top, max(right-left, bottom-top, 1) / grid
}

func (w *dataWriter) writeString(text string) {
	if _, err := w.out.WriteString(text); w.err == nil {
		w.err = err
	}
}

func (w *dataWriter) writeJSON(v any) {
	body, err := json.Marshal(v)
	if err == nil {
		_, err = w.out.Write(body)
	}
	if w.err == nil {
		w.err = err
	}
}

// An array writes the elements of a JSON array.
type array struct {
	w     *dataWriter
	begun bool
}

func (a *array) add(row ...any) {
	if a.begun {
		a.w.writeString(",")
	}
	a.begun = true
	a.w.writeJSON(row)
}

func (w *dataWriter) x(v float64) int { return int(math.Round((v - w.left) / w.unit)) }
func (w *dataWriter) y(v float64) int { return int(math.Round((v - w.top) / w.unit)) }

func (w *dataWriter) readQuotes() error {
	if w.source.Quotes == nil {
		return nil
	}
	for q, err := range w.source.Quotes(w.budget.quotes) {
		if err != nil {
			return err
		}
		i, ok := w.drawing.EntityIndex(q.Entity)
		if !ok {
			return export.ErrGraphChanged
		}
		text := w.texts.index(excerpt(q.Text, q.Name, w.budget.quote))
		if have := w.quotes[i]; text >= 0 && len(have) < 2*w.budget.quotes && !quoted(have, text) {
			w.quotes[i] = append(have, text, w.texts.index(shorten(q.Document, 80)))
		}
	}
	return nil
}

// quoted reports whether a text is among quotes, in which texts and documents
// alternate. Chunks overlap, so two may have the same excerpt.
func quoted(quotes []int32, text int32) bool {
	for i := 0; i < len(quotes); i += 2 {
		if quotes[i] == text {
			return true
		}
	}
	return false
}

func (w *dataWriter) communities(out *array) error {
	for _, c := range w.drawing.Communities {
		out.add(c.Label, shorten(c.Title, 90), c.Level, c.ParentIndex, c.Size, c.Color.Hex(), w.x(c.X), w.y(c.Y), max(1, int(math.Ceil(c.R/w.unit))))
	}
	return nil
}

func (w *dataWriter) entities(out *array) error {
	for e, err := range w.source.Entities {
		if err != nil {
			return err
		}
		n, err := w.drawing.Node(e)
		if err != nil {
			return err
		}
		quotes := w.quotes[n.Index]
		if quotes == nil {
			quotes = []int32{}
		}
		out.add(shorten(n.Name, 120), w.types.index(n.Type), w.drawing.DeepestCommunity(n.Index), w.x(n.X), w.y(n.Y), n.Degree, n.Frequency,
			w.texts.index(shorten(n.Description, w.budget.description)), quotes)
	}
	return nil
}

func (w *dataWriter) relationships(out *array) error {
	i := int32(0)
	ends := w.drawing.Edges()
	for rel, err := range w.source.Relationships {
		if err != nil {
			return err
		}
		if int(i) >= len(ends) {
			return export.ErrGraphChanged
		}
		text := int32(-1)
		if rel.Weight >= w.budget.weight {
			text = w.texts.index(shorten(rel.Description, w.budget.edge))
		}
		out.add(ends[i].A, ends[i].B, rel.Weight, text)
		w.edges[rel.Key] = i
		i++
	}
	return nil
}

const (
	maxFindings   = 12
	maxReferences = 40
)

func (w *dataWriter) reports(out *array) error {
	for report, err := range w.source.Reports {
		if err != nil {
			return err
		}
		c, ok := w.drawing.CommunityIndex(report.Community)
		if !ok {
			return export.ErrGraphChanged
		}
		findings := report.Findings[:min(len(report.Findings), maxFindings)]
		each := w.budget.report / (len(findings) + 1)
		shown := [][2]string{}
		for _, f := range findings {
			shown = append(shown, [2]string{shorten(f.Summary, 200), shorten(f.Explanation, max(each, 80))})
		}
		out.add(c, math.Round(report.Rating*10)/10, shorten(report.Summary, max(each, 160)), shown, w.references(report.References))
	}
	return nil
}

// references returns what a report cites, each with its quote. The quotes of an entity
// are in its own row.
func (w *dataWriter) references(refs []graph.Reference) [][]any {
	rows := [][]any{}
	for _, ref := range refs[:min(len(refs), maxReferences)] {
		kind, target := "", int32(-1)
		switch ref.Kind {
		case graph.KindEntity:
			kind = "e"
			if i, ok := w.drawing.EntityIndex(ref.Key); ok {
				target = i
			}
		case graph.KindRelationship:
			kind = "r"
			if i, ok := w.edges[ref.Key]; ok {
				target = i
			}
		}
		w, ok := w.citedTexts[citedNode{ref.Kind, ref.Key}]
		if !ok {
			w = citedText{string(ref.Kind), -1, -1}
		}
		rows = append(rows, []any{ref.N, kind, target, w.title, w.text, w.document})
	}
	return rows
}

// citedBatch is the number of references that are looked up at a time.
const citedBatch = 500

// readCited looks up the quotes of what reports cite, each once.
func (w *dataWriter) readCited() error {
	if w.source.Cited == nil {
		return nil
	}
	var batch []graph.Reference
	lookUp := func() error {
		found, err := w.source.Cited(batch)
		batch = batch[:0]
		for _, c := range found {
			name, _, _ := strings.Cut(c.Title, " — ")
			w.citedTexts[citedNode{c.Kind, c.Key}] = citedText{
				shorten(c.Title, 100), w.texts.index(excerpt(c.Text, name, w.budget.citation)), w.texts.index(shorten(c.Document, 80)),
			}
		}
		return err
	}
	for report, err := range w.source.Reports {
		if err != nil {
			return err
		}
		for _, ref := range report.References[:min(len(report.References), maxReferences)] {
			key := citedNode{ref.Kind, ref.Key}
			if _, known := w.citedTexts[key]; known || ref.Kind == graph.KindEntity {
				continue
			}
			w.citedTexts[key] = citedText{string(ref.Kind), -1, -1}
			if batch = append(batch, ref); len(batch) == citedBatch {
				if err := lookUp(); err != nil {
					return err
				}
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return lookUp()
}
