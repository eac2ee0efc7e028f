package htmlmap

import (
	"bufio"
	"encoding/json"
	"math"
	"strings"

	"github.com/neorag/neorag/internal/export"
	"github.com/neorag/neorag/internal/graph"
)

// grid is how many steps a coordinate has.
const grid = 65535

// A recorder writes the data of a page:
//
//	{corpus, documents, unit, communities: [[label, title, level, up, entities, colour, x, y, r]],
//	 entities: [[name, type, home, x, y, degree, mentions, description, [quote, document, ...]]], none,
//	 edges: [[a, b, weight, description]], reports: [[community, rating, summary, [[title, text]], [[n, kind, target, title, quote, document]]]],
//	 texts: [...], types: [...]}
//
// Places are whole steps of a grid, of which unit is the length. Descriptions,
// quotes and titles of documents are places in texts, types in types; -1 is
// none. The target of a reference is an entity (kind "e") or an edge ("r").
type recorder struct {
	out     *bufio.Writer
	source  Source
	picture *export.Drawing
	budget  budget
	texts   table
	types   table
	quotes  map[int32][]int32
	edges   map[string]int32 // of each relationship, its place
	cited   map[cited]words
	unit    float64
	left    float64
	top     float64
	err     error
}

// cited is a node that reports refer to, words what is shown of it: its title
// and the places of a quote and of a document's title.
type (
	cited struct {
		kind graph.Kind
		key  string
	}
	words struct {
		title          string
		text, document int32
	}
)

// A table gives each text that it is asked for a place, once.
type table struct {
	index map[string]int32
	list  []string
}

func (t *table) place(text string) int32 {
	if text == "" {
		return -1
	}
	i, ok := t.index[text]
	if !ok {
		if t.index == nil {
			t.index = map[string]int32{}
		}
		i = int32(len(t.list))
		t.index[text] = i
		t.list = append(t.list, text)
	}
	return i
}

func writeData(out *bufio.Writer, s Source) error {
	p, err := export.Draw(s.Graph)
	if err != nil {
		return err
	}
	r := &recorder{out: out, source: s, picture: p, quotes: map[int32][]int32{}, edges: map[string]int32{}, cited: map[cited]words{}}
	r.budget = budgetOf(p.NumEntities(), len(p.Communities), p.Edges())
	r.left, r.top, r.unit = frame(p)
	if err := r.readQuotes(); err != nil {
		return err
	}
	if err := r.readCited(); err != nil {
		return err
	}
	r.raw(`{"corpus":`)
	r.value(s.Corpus)
	r.raw(`,"documents":`)
	r.value(s.Documents)
	r.raw(`,"unit":`)
	r.value(math.Round(r.unit*1e6) / 1e6)
	for _, section := range []struct {
		name  string
		write func(*list) error
	}{{"communities", r.communities}, {"entities", r.entities}, {"edges", r.relationships}, {"reports", r.reports}} {
		r.raw(`,"` + section.name + `":[`)
		if err := section.write(&list{r: r}); err != nil {
			return err
		}
		r.raw("]")
	}
	r.raw(`,"texts":`)
	r.value(append([]string{}, r.texts.list...))
	r.raw(`,"types":`)
	r.value(append([]string{}, r.types.list...))
	r.raw("}")
	return r.err
}

// frame is the corner of what holds all circles, and the step of the grid.
func frame(p *export.Drawing) (left, top, unit float64) {
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

func (r *recorder) raw(text string) {
	if _, err := r.out.WriteString(text); r.err == nil {
		r.err = err
	}
}

func (r *recorder) value(v any) {
	body, err := json.Marshal(v)
	if err == nil {
		_, err = r.out.Write(body)
	}
	if r.err == nil {
		r.err = err
	}
}

// A list writes the elements of an array.
type list struct {
	r     *recorder
	begun bool
}

func (l *list) add(row ...any) {
	if l.begun {
		l.r.raw(",")
	}
	l.begun = true
	l.r.value(row)
}

func (r *recorder) x(v float64) int { return int(math.Round((v - r.left) / r.unit)) }
func (r *recorder) y(v float64) int { return int(math.Round((v - r.top) / r.unit)) }

func (r *recorder) readQuotes() error {
	if r.source.Quotes == nil {
		return nil
	}
	for q, err := range r.source.Quotes(r.budget.quotes) {
		if err != nil {
			return err
		}
		i, ok := r.picture.EntityIndex(q.Entity)
		if !ok {
			return export.ErrGraphChanged
		}
		text := r.texts.place(around(q.Text, q.Name, r.budget.quote))
		if have := r.quotes[i]; text >= 0 && len(have) < 2*r.budget.quotes && !quoted(have, text) {
			r.quotes[i] = append(have, text, r.texts.place(short(q.Document, 80)))
		}
	}
	return nil
}

// quoted says whether a text is among quotes, which are texts and documents by
// turns: chunks overlap.
func quoted(quotes []int32, text int32) bool {
	for i := 0; i < len(quotes); i += 2 {
		if quotes[i] == text {
			return true
		}
	}
	return false
}

func (r *recorder) communities(out *list) error {
	for _, c := range r.picture.Communities {
		out.add(c.Label, short(c.Title, 90), c.Level, c.ParentIndex, c.Size, c.Color.Hex(), r.x(c.X), r.y(c.Y), max(1, int(math.Ceil(c.R/r.unit))))
	}
	return nil
}

func (r *recorder) entities(out *list) error {
	for e, err := range r.source.Entities {
		if err != nil {
			return err
		}
		n, err := r.picture.Node(e)
		if err != nil {
			return err
		}
		quotes := r.quotes[n.Index]
		if quotes == nil {
			quotes = []int32{}
		}
		out.add(short(n.Name, 120), r.types.place(n.Type), r.picture.DeepestCommunity(n.Index), r.x(n.X), r.y(n.Y), n.Degree, n.Frequency,
			r.texts.place(short(n.Description, r.budget.description)), quotes)
	}
	return nil
}

func (r *recorder) relationships(out *list) error {
	i := int32(0)
	ends := r.picture.Edges()
	for rel, err := range r.source.Relationships {
		if err != nil {
			return err
		}
		if int(i) >= len(ends) {
			return export.ErrGraphChanged
		}
		text := int32(-1)
		if rel.Weight >= r.budget.weight {
			text = r.texts.place(short(rel.Description, r.budget.edge))
		}
		out.add(ends[i].A, ends[i].B, rel.Weight, text)
		r.edges[rel.Key] = i
		i++
	}
	return nil
}

const (
	mostFindings   = 12
	mostReferences = 40
)

func (r *recorder) reports(out *list) error {
	for report, err := range r.source.Reports {
		if err != nil {
			return err
		}
		c, ok := r.picture.CommunityIndex(report.Community)
		if !ok {
			return export.ErrGraphChanged
		}
		findings := report.Findings[:min(len(report.Findings), mostFindings)]
		each := r.budget.report / (len(findings) + 1)
		shown := [][2]string{}
		for _, f := range findings {
			shown = append(shown, [2]string{short(f.Summary, 200), short(f.Explanation, max(each, 80))})
		}
		out.add(c, math.Round(report.Rating*10)/10, short(report.Summary, max(each, 160)), shown, r.references(report.References))
	}
	return nil
}

// references are what a report cites, with the words behind each; those of an
// entity stand with the entity.
func (r *recorder) references(refs []graph.Reference) [][]any {
	rows := [][]any{}
	for _, ref := range refs[:min(len(refs), mostReferences)] {
		kind, target := "", int32(-1)
		switch ref.Kind {
		case graph.KindEntity:
			kind = "e"
			if i, ok := r.picture.EntityIndex(ref.Key); ok {
				target = i
			}
		case graph.KindRelationship:
			kind = "r"
			if i, ok := r.edges[ref.Key]; ok {
				target = i
			}
		}
		w, ok := r.cited[cited{ref.Kind, ref.Key}]
		if !ok {
			w = words{string(ref.Kind), -1, -1}
		}
		rows = append(rows, []any{ref.N, kind, target, w.title, w.text, w.document})
	}
	return rows
}

// citeBatch is how many references are looked up at a time.
const citeBatch = 500

// readCited finds the words behind what reports cite, each once.
func (r *recorder) readCited() error {
	if r.source.Cited == nil {
		return nil
	}
	var batch []graph.Reference
	look := func() error {
		found, err := r.source.Cited(batch)
		batch = batch[:0]
		for _, c := range found {
			name, _, _ := strings.Cut(c.Title, " — ")
			r.cited[cited{c.Kind, c.Key}] = words{
				short(c.Title, 100), r.texts.place(around(c.Text, name, r.budget.citation)), r.texts.place(short(c.Document, 80)),
			}
		}
		return err
	}
	for report, err := range r.source.Reports {
		if err != nil {
			return err
		}
		for _, ref := range report.References[:min(len(report.References), mostReferences)] {
			key := cited{ref.Kind, ref.Key}
			if _, known := r.cited[key]; known || ref.Kind == graph.KindEntity {
				continue
			}
			r.cited[key] = words{string(ref.Kind), -1, -1}
			if batch = append(batch, ref); len(batch) == citeBatch {
				if err := look(); err != nil {
					return err
				}
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return look()
}
