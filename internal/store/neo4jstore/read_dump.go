package neo4jstore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// PartEvidence is the part of a dump without communities and reports.
const PartEvidence = "evidence"

// ErrMoved is returned when a new generation became visible during a read.
var ErrMoved = errors.New("the corpus was indexed while it was being read; try again when indexing has finished")

// dumpPage is how many nodes, with their edges, a dump reads at a time.
const dumpPage = 1000

// dumpKinds are the kinds in the order of a dump.
var dumpKinds = []struct {
	kind      graph.Kind
	statement typed[dumpRow]
	evidence  bool
}{
	{graph.KindDocument, readDump.For("Document"), true},
	{graph.KindChunk, readDump.For("Chunk"), true},
	{graph.KindPassage, readDump.For("Passage"), true},
	{graph.KindSentence, readDump.For("Sentence"), true},
	{graph.KindQuery, readDump.For("Query"), true},
	{graph.KindEntity, readDump.For("Entity"), true},
	{graph.KindRelationship, readDump.For("Relationship"), true},
	{graph.KindClaim, readDump.For("Claim"), true},
	{graph.KindNamePair, readDump.For("NamePair"), false},
	{graph.KindCommunity, readDump.For("Community"), false},
	{graph.KindReport, readDumpReport, false},
	{graph.KindFinding, readDumpFinding, false},
}

type (
	// A DumpedNode is the line of a node. Its fields are sorted by name.
	DumpedNode struct {
		Key        string         `json:"key"` // without the corpus
		Labels     []string       `json:"labels"`
		Node       string         `json:"node"` // kind of node
		Properties map[string]any `json:"properties"`
	}
	// A DumpedEdge is the line of an edge. Its fields are sorted by name.
	DumpedEdge struct {
		Edge       string         `json:"edge"` // type of relationship
		From       string         `json:"from"`
		FromNode   string         `json:"from_node"`
		Properties map[string]any `json:"properties"`
		To         string         `json:"to"`
		ToNode     string         `json:"to_node"`
	}
)

// Dump passes every node, then every edge of the visible generation of a corpus to
// emit, each as a JSON object without a newline, which is valid until emit returns:
//
//	{"key":"...","labels":[...],"node":"Entity","properties":{...}}
//	{"edge":"MENTIONS","from":"...","from_node":"Chunk","properties":{...},"to":"...","to_node":"Entity"}
//
// Nodes are sorted by kind, then key; edges by the kind and key of their start, then
// type, then end. Names in objects are sorted. Keys are local ids, and nothing contains
// the corpus, a time, a run, a generation or a folder, so that equal graphs have equal
// bytes: the key of a report is the key of its community, a finding also has its order, a
// vector is replaced by embed_fp, and a mark is true. The part is "" for everything or
// PartEvidence. Dump holds one page in memory.
func (s *Store) Dump(ctx context.Context, corpus string, part string, emit func([]byte) error) error {
	if part != "" && part != PartEvidence {
		return fmt.Errorf("dump corpus %s: unknown part %q; use %q or none", corpus, part, PartEvidence)
	}
	d := &dumper{store: s, corpus: corpus, evidence: part == PartEvidence, emit: emit}
	if err := d.run(ctx); err != nil {
		return fmt.Errorf("dump corpus %s: %w", corpus, err)
	}
	return nil
}

type dumper struct {
	store      *Store
	corpus     string
	evidence   bool
	generation int64
	emit       func([]byte) error
	buffer     bytes.Buffer
}

func (d *dumper) run(ctx context.Context) error {
	corpus, err := firstRow(ctx, d.store, readDumpCorpus, d.corpus, nil, ErrNoCorpus)
	if err != nil {
		return err
	}
	d.generation = corpus.Generation
	if !d.evidence {
		if err := d.write(DumpedNode{Node: "Corpus", Labels: []string{}, Properties: corpusProperties(corpus.Properties)}); err != nil {
			return err
		}
	}
	for _, edges := range []bool{false, true} {
		for _, k := range dumpKinds {
			if k.evidence || !d.evidence {
				if err := d.kind(ctx, k.kind, k.statement, edges); err != nil {
					return err
				}
			}
		}
	}
	now, err := d.store.Generation(ctx, d.corpus)
	if err == nil && now != d.generation {
		err = ErrMoved
	}
	return err
}

// kind dumps the nodes of a kind, or the edges that start at them, page by page. A page
// is read completely before it is emitted, so that a retried read emits nothing twice.
func (d *dumper) kind(ctx context.Context, kind graph.Kind, st typed[dumpRow], edges bool) error {
	params := keyRange(d.corpus, "", dumpPage)
	params["generation"], params["edges"] = d.generation, edges
	for {
		page, err := rows(ctx, d.store, st, d.corpus, params)
		if err != nil {
			return err
		}
		cursors := 0
		after := params["after"]
		slices.SortStableFunc(page, func(a, b dumpRow) int {
			return cmp.Or(cmp.Compare(a.Cursor, b.Cursor), cmp.Compare(a.ID, b.ID))
		})
		for _, v := range page {
			if v.Cursor != after {
				after = v.Cursor
				cursors++
			}
			if v.ID == "" {
				continue
			}
			if err := d.row(kind, v, edges); err != nil {
				return err
			}
		}
		if cursors < dumpPage {
			return nil
		}
		params["after"] = after
	}
}

func (d *dumper) row(kind graph.Kind, v dumpRow, edges bool) error {
	if edges {
		return d.edges(kind, v)
	}
	return d.write(DumpedNode{
		Node: string(kind), Key: graph.Local(v.ID),
		Labels: d.labels(kind, v.Labels, v.Properties), Properties: d.properties(v.Properties),
	})
}

func (d *dumper) edges(kind graph.Kind, v dumpRow) error {
	type edge struct {
		name, to, line string
	}
	var edges []edge
	for _, e := range v.Edges {
		to := edgeEnd(e.Labels)
		if to == "" || d.evidence && (to == "Corpus" || to == string(graph.KindCommunity)) {
			continue
		}
		end := ""
		if to != "Corpus" {
			end = graph.Local(e.To)
		}
		line, err := d.encode(DumpedEdge{
			Edge: e.Type, From: graph.Local(v.ID), FromNode: string(kind),
			To: end, ToNode: to, Properties: d.properties(e.Properties),
		})
		if err != nil {
			return err
		}
		edges = append(edges, edge{e.Type, end, string(line)})
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.to, b.to), cmp.Compare(a.line, b.line))
	})
	for _, e := range edges {
		if err := d.emit([]byte(e.line)); err != nil {
			return err
		}
	}
	return nil
}

// edgeEnd returns the kind of a node by its labels.
func edgeEnd(labels []string) string {
	if slices.Contains(labels, "Corpus") {
		return "Corpus"
	}
	for _, k := range dumpKinds {
		if slices.Contains(labels, string(k.kind)) {
			return string(k.kind)
		}
	}
	return ""
}

// labels returns the labels of types and communities, without the labels of kind and corpus.
func (d *dumper) labels(kind graph.Kind, labels []string, properties values) []string {
	drop := []string{string(kind), string(kind) + "_" + d.corpus}
	if d.evidence {
		drop = append(drop, properties.texts("labels_set")...)
	}
	kept := []string{}
	for _, label := range labels {
		if !slices.Contains(drop, label) {
			kept = append(kept, label)
		}
	}
	slices.Sort(kept)
	return kept
}

// runProperties depend on where, when or in which generation a node was written.
var runProperties = []string{"key", "corpus", "root", "since", "until", "gone", "embedding", "embedding_d2q", "embedding_d2q_kept", "topology", "reads_fp"}

func (d *dumper) properties(properties values) map[string]any {
	kept := make(map[string]any, len(properties))
	for name, value := range properties {
		switch {
		case value == nil, slices.Contains(runProperties, name), strings.HasSuffix(name, "_error"),
			d.evidence && slices.Contains(graph.CommunityProperties, name):
			continue
		case strings.HasPrefix(name, "todo_"):
			kept[name] = true
		default:
			kept[name] = value
		}
	}
	return kept
}

// corpusProperties returns the settings of a corpus, without times and counters.
func corpusProperties(properties values) map[string]any {
	kept := map[string]any{}
	for name, value := range properties {
		if slices.Contains([]string{"schema", "language", "dimension", "embedder", "mode", "merged", "split"}, name) || strings.HasPrefix(name, "settings_") {
			kept[name] = value
		}
	}
	return kept
}

func (d *dumper) write(object any) error {
	line, err := d.encode(object)
	if err != nil {
		return err
	}
	return d.emit(line)
}

func (d *dumper) encode(object any) ([]byte, error) {
	d.buffer.Reset()
	encoder := json.NewEncoder(&d.buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(d.buffer.Bytes(), []byte("\n")), nil
}
