package export

import (
	"bytes"
	"encoding/json"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// The objects of the JSON format. Fields may be added, never removed or renamed.
type (
	jsonNode struct {
		Key         string   `json:"key"`
		Name        string   `json:"name"`
		Type        string   `json:"type"`
		Description string   `json:"description"`
		Degree      int      `json:"degree"`
		Frequency   int      `json:"frequency"`
		Communities []string `json:"communities"` // keys, by level
		Color       string   `json:"color"`
		X           float64  `json:"x"`
		Y           float64  `json:"y"`
		Size        float64  `json:"size"`
	}
	jsonEdge struct {
		Key         string   `json:"key"`
		Source      string   `json:"source"`
		Target      string   `json:"target"`
		Weight      int      `json:"weight"`
		Strength    float64  `json:"strength"`
		Description string   `json:"description"`
		Keywords    []string `json:"keywords"`
	}
	jsonCommunity struct {
		Key    string  `json:"key"`
		Label  string  `json:"label"`
		Level  int     `json:"level"`
		Parent string  `json:"parent,omitempty"`
		Title  string  `json:"title"`
		Size   int     `json:"entities"`
		Weight int     `json:"weight"`
		Final  bool    `json:"final"`
		Color  string  `json:"color"`
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Radius float64 `json:"radius"`
	}
	jsonReport struct {
		Community  string          `json:"community"`
		Level      int             `json:"level"`
		Title      string          `json:"title"`
		Summary    string          `json:"summary"`
		Rating     float64         `json:"rating"`
		Findings   []graph.Finding `json:"findings"`
		References []jsonReference `json:"references"`
	}
	jsonReference struct {
		N    int    `json:"n"`
		Kind string `json:"kind"`
		Key  string `json:"key"`
	}
)

// A jsonList writes the values of an array, one per line.
type jsonList struct {
	w     *writer
	begun bool
	err   error
}

func (o *jsonList) add(value any) {
	if o.err != nil {
		return
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if o.err = encoder.Encode(value); o.err != nil {
		return
	}
	if o.begun {
		o.w.print(",\n")
	}
	o.begun = true
	_, o.err = o.w.Write(sanitize.JSON(bytes.TrimSpace(b.Bytes())))
}

func writeJSON(w *writer) error {
	w.print(`{"corpus":"`, w.graph.Corpus, "\",\n\"communities\":[\n")
	list := &jsonList{w: w}
	for _, c := range w.drawing.Communities {
		list.add(jsonCommunity{
			graph.Local(c.Key), c.Label, c.Level, graph.Local(c.Parent), c.Title, c.Size, c.Weight, c.Final,
			c.Color.Hex(), round2(c.X), round2(c.Y), round2(c.R),
		})
	}
	w.print("],\n\"nodes\":[\n")
	list.begun = false
	err := w.nodes(func(n Node) {
		path := []string{}
		for _, c := range n.Path {
			path = append(path, graph.Local(w.drawing.Communities[c].Key))
		}
		list.add(jsonNode{graph.Local(n.Key), n.Name, n.Type, n.Description, n.Degree, n.Frequency, path, n.Color.Hex(), round2(n.X), round2(n.Y), round2(2 * n.R)})
	})
	if err != nil {
		return err
	}
	w.print("],\n\"edges\":[\n")
	list.begun = false
	err = w.edges(func(r graph.Relationship) {
		list.add(jsonEdge{
			graph.Local(r.Key), graph.Local(r.Source), graph.Local(r.Target), r.Weight, float64(r.Strength) / 100,
			r.Description, append([]string{}, r.Keywords...),
		})
	})
	if err != nil {
		return err
	}
	w.print("],\n\"reports\":[\n")
	list.begun = false
	err = w.reports(func(r graph.Report, c *Community) {
		refs := []jsonReference{}
		for _, ref := range r.References {
			refs = append(refs, jsonReference{ref.N, string(ref.Kind), graph.Local(ref.Key)})
		}
		list.add(jsonReport{graph.Local(c.Key), r.Level, r.Title, r.Summary, r.Rating, append([]graph.Finding{}, r.Findings...), refs})
	})
	if err != nil {
		return err
	}
	w.print("]}\n")
	return list.err
}
