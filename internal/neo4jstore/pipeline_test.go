package neo4jstore_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A world is documents by URI; each element is the text of a chunk: sentences
// of words, where each word is an entity that relates to the next one, and
// "!a b" is a claim about a towards b.
type world map[string][]string

const dimension = 4

// A pipeline is a small conductor: it takes a corpus through all stages by
// means of the store's work lists alone.
type pipeline struct {
	store  *neo4jstore.Store
	lane   *neo4jstore.Lane
	corpus string
	page   int // mentions or rows a page
}

// indexWorld brings the corpus to the world and returns what it changed.
func indexWorld(tb testing.TB, s *neo4jstore.Store, corpus string, w world) (neo4jstore.Counters, error) {
	tb.Helper()
	var counters neo4jstore.Counters
	err := s.WithLane(tb.Context(), corpus, "test "+tb.Name(), 0, func(ctx context.Context, l *neo4jstore.Lane) error {
		p := pipeline{store: s, lane: l, corpus: corpus, page: 7}
		err := p.run(ctx, w)
		counters = l.Counters()
		return err
	})
	return counters, err
}

func (p pipeline) run(ctx context.Context, w world) error {
	for _, stage := range []func(context.Context) error{
		func(ctx context.Context) error { return p.documents(ctx, w) },
		p.extract, p.relationships, p.entities, p.describeEntities, p.describeRelationships, p.embed,
		p.cluster, p.reports, p.flip, p.labels, p.sweep,
	} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

var corpusOfKey = regexp.MustCompile(`t_[0-9a-f]{12}/`)

// fingerprint does not depend on the name of the corpus.
func fingerprint(v any) string {
	b, _ := json.Marshal(v)
	return graph.Hash(corpusOfKey.ReplaceAllString(string(b), ""))
}

func (p pipeline) documentWrite(uri string, texts []string) neo4jstore.DocumentWrite {
	key := graph.DocumentKey(p.corpus, uri)
	w := neo4jstore.DocumentWrite{
		Document: graph.Document{
			Key: key, URI: uri, Title: "Title of " + uri, SHA256: fingerprint(texts), MIME: "text/plain",
			Metadata: map[string]string{"Chunks": strconv.Itoa(len(texts)), texts[0][:1]: "first"},
		},
		SourceFP: "source", ChunkFP: "chunk", Terms: strings.Join(texts, " "), Lead: uri, NTokens: len(texts),
	}
	nth := map[string]int{}
	for i, text := range texts {
		chunk := graph.ChunkKey(p.corpus, key, text, nth[text])
		nth[text]++
		w.Chunks = append(w.Chunks, graph.Chunk{Key: chunk, Document: key, Text: text, Index: i, NTokens: len(text) / 4, Start: 100 * i, End: 100*i + len(text)})
		for start := 0; start < len(text); start += 10 {
			w.Passages = append(w.Passages, graph.Passage{
				Key: graph.PassageKey(p.corpus, chunk, start), Chunk: chunk, Terms: text[start:min(start+10, len(text))], Pairs: "a_b",
				Start: start, End: min(start+10, len(text)),
			})
		}
	}
	return w
}

func (p pipeline) documents(ctx context.Context, w world) error {
	states, err := p.store.Documents(ctx, p.corpus)
	if err != nil {
		return err
	}
	var gone []string
	have := map[string]string{}
	for _, d := range states {
		have[d.URI] = d.SHA256
		if _, ok := w[strings.TrimPrefix(d.Key, p.corpus+"/")]; !ok {
			gone = append(gone, d.Key)
		}
	}
	var writes []neo4jstore.DocumentWrite
	for _, uri := range slices.Sorted(maps.Keys(w)) {
		if have[uri] != fingerprint(w[uri]) {
			writes = append(writes, p.documentWrite(uri, w[uri]))
		}
	}
	if len(writes) > 0 {
		if err := p.lane.WriteDocuments(ctx, writes); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return p.lane.RemoveDocuments(ctx, gone)
}

func (p pipeline) extract(ctx context.Context) error {
	for after := ""; ; {
		documents, err := p.store.PendingDocuments(ctx, p.corpus, after, 2)
		if err != nil || len(documents) == 0 {
			return err
		}
		var writes []neo4jstore.ExtractionWrite
		for _, key := range documents {
			chunks, err := p.store.DocumentChunks(ctx, p.corpus, key)
			if err != nil {
				return err
			}
			for _, c := range chunks {
				if c.Pending {
					writes = append(writes, p.extraction(c))
				}
			}
		}
		if err := p.lane.WriteExtractions(ctx, writes); err != nil {
			return err
		}
		after = documents[len(documents)-1]
	}
}

func (p pipeline) extraction(c neo4jstore.ChunkState) neo4jstore.ExtractionWrite {
	x := neo4jstore.ExtractionWrite{Chunk: c.Key, FP: fingerprint(c.Text), Sum: graph.Hash(c.Text)}
	if x.FP == c.ExtractFP && x.Sum == c.ExtractSum {
		x.Unchanged = true
		return x
	}
	entities, relationships := map[string]*neo4jstore.EntityMention{}, map[string]*neo4jstore.RelationshipMention{}
	entity := func(word, description string) string {
		key := graph.EntityKey(p.corpus, strings.ToLower(word))
		if entities[key] == nil {
			entities[key] = &neo4jstore.EntityMention{Entity: key, Name: word}
		}
		e := entities[key]
		e.Names, e.Types, e.Descriptions = append(e.Names, word), append(e.Types, "thing"), append(e.Descriptions, description)
		return key
	}
	for sentence := range strings.SplitSeq(c.Text, ".") {
		words := strings.Fields(sentence)
		if claim, ok := strings.CutPrefix(strings.TrimSpace(sentence), "!"); ok {
			ends := strings.Fields(claim)
			record := graph.ClaimRecord{Subject: ends[0], Object: ends[1], Type: "acts", Status: "TRUE", Description: claim, SourceText: sentence}
			x.Claims = append(x.Claims, neo4jstore.ClaimWrite{Terms: claim, Claim: graph.Claim{
				Key: graph.ClaimKey(p.corpus, c.Key, record), Chunk: c.Key, Subject: entity(ends[0], ""), Object: entity(ends[1], ""),
				NTokens: 3, ClaimRecord: record,
			}})
			continue
		}
		for i, word := range words {
			source := entity(word, "is "+word)
			if i+1 == len(words) {
				continue
			}
			target := graph.EntityKey(p.corpus, strings.ToLower(words[i+1]))
			if source == target {
				continue
			}
			key := graph.RelationshipKey(p.corpus, source, target)
			if relationships[key] == nil {
				relationships[key] = &neo4jstore.RelationshipMention{Relationship: key, Source: min(source, target), Target: max(source, target)}
			}
			r := relationships[key]
			r.Descriptions, r.Keywords = append(r.Descriptions, word+" meets "+words[i+1]), append(r.Keywords, word)
			r.Strength, r.Count = r.Strength+100, r.Count+1
			if source < target {
				r.Forward++
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(entities)) {
		x.Entities = append(x.Entities, *entities[key])
	}
	for _, key := range slices.Sorted(maps.Keys(relationships)) {
		x.Relationships = append(x.Relationships, *relationships[key])
	}
	return x
}

// paged runs a stage page by page.
func paged[T any](read func(after string) ([]T, error), key func(T) string, write func([]T) error) error {
	for after := ""; ; {
		page, err := read(after)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := write(page); err != nil {
			return err
		}
		after = key(page[len(page)-1])
	}
}

func (p pipeline) relationships(ctx context.Context) error {
	return paged(func(after string) ([]neo4jstore.RelationshipEvidence, error) {
		return p.store.PendingDeriveRelationships(ctx, p.corpus, after, p.page)
	}, func(r neo4jstore.RelationshipEvidence) string { return r.Key }, func(page []neo4jstore.RelationshipEvidence) error {
		var rows []neo4jstore.RelationshipDerived
		var gone []string
		for _, r := range page {
			if len(r.Mentions) == 0 {
				gone = append(gone, r.Key)
				continue
			}
			d := neo4jstore.RelationshipDerived{Key: r.Key}
			var said [][]string
			for _, m := range r.Mentions {
				said = append(said, m.Descriptions)
				d.Weight += m.Count
				d.Strength += m.Strength
				d.Keywords = append(d.Keywords, m.Keywords...)
			}
			slices.Sort(d.Keywords)
			d.DeriveFP = fingerprint([]any{d, joined(said)})
			d.Unchanged = d.DeriveFP == r.DeriveFP
			rows = append(rows, d)
		}
		return p.lane.WriteRelationships(ctx, rows, gone)
	})
}

func (p pipeline) entities(ctx context.Context) error {
	return paged(func(after string) ([]neo4jstore.EntityEvidence, error) {
		return p.store.PendingDeriveEntities(ctx, p.corpus, after, p.page)
	}, func(e neo4jstore.EntityEvidence) string { return e.Key }, func(page []neo4jstore.EntityEvidence) error {
		var rows []neo4jstore.EntityDerived
		var gone []string
		for _, e := range page {
			if len(e.Mentions) == 0 {
				gone = append(gone, e.Key)
				continue
			}
			names := map[string]int{}
			var said [][]string
			for _, m := range e.Mentions {
				said = append(said, m.Descriptions)
				for _, name := range m.Names {
					names[name]++
				}
			}
			best := slices.MinFunc(slices.Collect(maps.Keys(names)), func(a, b string) int {
				return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b))
			})
			d := neo4jstore.EntityDerived{Key: e.Key, Name: best, Type: "thing", Degree: e.Degree, Frequency: len(e.Mentions)}
			if d.Degree > 1 {
				d.Type, d.TypeLabel = "hub", "Hub"
			}
			d.DeriveFP = fingerprint([]any{d, joined(said)})
			d.Unchanged = d.DeriveFP == e.DeriveFP
			rows = append(rows, d)
		}
		return p.lane.WriteEntities(ctx, rows, gone)
	})
}

// joined is a description that depends on no order.
func joined(mentions [][]string) string {
	all := slices.Concat(mentions...)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func (p pipeline) describeEntities(ctx context.Context) error {
	return paged(func(after string) ([]neo4jstore.EntityDescribe, error) {
		return p.store.PendingDescribeEntities(ctx, p.corpus, after, p.page)
	}, func(e neo4jstore.EntityDescribe) string { return e.Key }, func(page []neo4jstore.EntityDescribe) error {
		var rows []neo4jstore.Described
		for _, e := range page {
			text := joined(e.Mentions)
			fp := fingerprint([]string{e.Name, e.Type, text})
			rows = append(rows, neo4jstore.Described{Key: e.Key, DescribeFP: fp, Unchanged: fp == e.DescribeFP, Description: text, Terms: e.Name + " " + text, NTokens: len(text)})
		}
		return p.lane.WriteDescriptions(ctx, graph.KindEntity, rows)
	})
}

func (p pipeline) describeRelationships(ctx context.Context) error {
	return paged(func(after string) ([]neo4jstore.RelationshipDescribe, error) {
		return p.store.PendingDescribeRelationships(ctx, p.corpus, after, p.page)
	}, func(r neo4jstore.RelationshipDescribe) string { return r.Key }, func(page []neo4jstore.RelationshipDescribe) error {
		var rows []neo4jstore.Described
		for _, r := range page {
			text := joined(r.Mentions)
			fp := fingerprint([]string{r.SourceName, r.TargetName, text})
			rows = append(rows, neo4jstore.Described{Key: r.Key, DescribeFP: fp, Unchanged: fp == r.DescribeFP, Description: text, Terms: text, NTokens: len(text)})
		}
		return p.lane.WriteDescriptions(ctx, graph.KindRelationship, rows)
	})
}

func vector(text string) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	n := h.Sum64()
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(n>>(8*i)&0xff) + 1
	}
	return v
}

func (p pipeline) embed(ctx context.Context) error {
	for _, kind := range []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship} {
		err := paged(func(after string) ([]neo4jstore.EmbedItem, error) {
			return p.store.PendingEmbed(ctx, p.corpus, kind, after, p.page)
		}, func(e neo4jstore.EmbedItem) string { return e.Key }, func(page []neo4jstore.EmbedItem) error {
			var rows []neo4jstore.Embedded
			for _, e := range page {
				fp := fingerprint(e.Text)
				rows = append(rows, neo4jstore.Embedded{Key: e.Key, EmbedFP: fp, Unchanged: fp == e.EmbedFP, Vector: vector(e.Text)})
			}
			return p.lane.WriteEmbeddings(ctx, kind, dimension, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p pipeline) cluster(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Topology == c.Clustered {
		return err
	}
	a, err := p.store.Adjacency(ctx, p.corpus, "count")
	if err != nil {
		return err
	}
	_, err = p.lane.OpenGeneration(ctx, hierarchy(p.corpus, a))
	return err
}

// hierarchy has the connected components at level 0 and cuts those of four
// and more members in halves at level 1.
func hierarchy(corpus string, a neo4jstore.Adjacency) []graph.Community {
	component := make([]int, len(a.Keys))
	for i := range component {
		component[i] = i
	}
	for range a.Keys {
		for _, e := range a.Edges {
			least := min(component[e.Source], component[e.Target])
			component[e.Source], component[e.Target] = least, least
		}
	}
	members := map[int][]string{}
	for i, key := range a.Keys {
		members[component[i]] = append(members[component[i]], key)
	}
	position := map[string]int{}
	for i, key := range a.Keys {
		position[key] = i
	}
	community := func(level, ordinal int, parent string, keys []string) graph.Community {
		c := graph.Community{
			Key: graph.CommunityKey(corpus, level, keys), Level: level, Ordinal: ordinal, Parent: parent, Members: keys,
			Label: graph.CommunityLabel("C", level, ordinal), Final: level == 1 || len(keys) < 4,
		}
		for _, e := range a.Edges {
			if slices.Contains(keys, a.Keys[e.Source]) && slices.Contains(keys, a.Keys[e.Target]) {
				c.Weight += e.Weight
			}
		}
		return c
	}
	var all []graph.Community
	ordinal := 0
	for _, root := range slices.Sorted(maps.Keys(members)) {
		keys := members[root]
		c := community(0, len(all)-ordinal, "", keys)
		all = append(all, c)
		if half := len(keys) / 2; half >= 2 {
			all = append(all, community(1, ordinal, c.Key, keys[:half]), community(1, ordinal+1, c.Key, keys[half:]))
			ordinal += 2
		}
	}
	return all
}

func (p pipeline) reports(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil {
		return err
	}
	next := c.Generation + 1
	for _, level := range []int{1, 0} {
		err := paged(func(after string) ([]graph.Community, error) {
			return p.store.PendingReports(ctx, p.corpus, next, level, after, 2)
		}, func(c graph.Community) string { return c.Key }, func(page []graph.Community) error {
			contexts, err := p.store.ReportContexts(ctx, p.corpus, next, page)
			if err != nil {
				return err
			}
			var rows []neo4jstore.ReportWrite
			for i := range contexts {
				rows = append(rows, report(&contexts[i]))
			}
			return p.lane.WriteReports(ctx, next, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// report lists all that lies inside and cites the first of each kind.
func report(c *neo4jstore.ReportContext) neo4jstore.ReportWrite {
	w := neo4jstore.ReportWrite{Community: c.Community.Key, Report: graph.Report{
		Level: c.Community.Level, Final: c.Community.Final, Size: len(c.Community.Members), Weight: c.Community.Weight, Rating: 5, Model: "test",
	}}
	cite := func(kind graph.Kind, key string) {
		w.Report.References = append(w.Report.References, graph.Reference{N: len(w.Report.References) + 1, Kind: kind, Key: key})
	}
	var lines []string
	for i, e := range c.Entities {
		lines = append(lines, e.Name+": "+e.Description)
		if i == 0 {
			cite(graph.KindEntity, e.Key)
		}
	}
	for i, r := range c.Relationships {
		lines = append(lines, fmt.Sprint(r.SourceName, " ", r.TargetName, " ", r.Weight, r.Description))
		if i == 0 {
			cite(graph.KindRelationship, r.Key)
		}
	}
	for _, k := range c.Claims {
		lines = append(lines, k.Description)
		cite(graph.KindClaim, k.Key)
	}
	for _, child := range c.Children {
		// By content: a report made again with the same words changes nothing above.
		lines = append(lines, child.Report.FullContent, strconv.Itoa(len(child.Members)))
		cite(graph.KindReport, child.Report.Key)
	}
	w.ReportFP = fingerprint([]any{lines, w.Report.Weight, w.Report.Final})
	w.Unchanged = w.ReportFP == c.ReportFP
	w.Report.Title, w.Report.FullContent = "Report on "+c.Entities[0].Name, strings.Join(lines, "\n")+" [1]"
	w.Report.Summary, w.Terms, w.EmbedFP, w.Vector = "Summary [1]", w.Report.Title, w.ReportFP, vector(w.Report.FullContent)
	w.Report.Findings = []graph.Finding{{Summary: "One", Explanation: "As said [1]."}, {Summary: "Two", Explanation: "And [1, 2] say."}}
	return w
}

func (p pipeline) flip(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Next <= c.Generation {
		return err
	}
	if n, err := p.store.Unreported(ctx, p.corpus, c.Next); err != nil || n > 0 {
		return fmt.Errorf("%d communities without report: %w", n, err)
	}
	return p.lane.Flip(ctx, c.Next, c.Topology)
}

func (p pipeline) labels(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Labelled == c.Generation {
		return err
	}
	communities, err := p.store.Communities(ctx, p.corpus, c.Generation, true)
	if err != nil {
		return err
	}
	labels := map[string]*neo4jstore.EntityLabels{}
	for after := ""; ; {
		page, err := p.store.LabelledEntities(ctx, p.corpus, after, p.page)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			labels[e.Key] = &neo4jstore.EntityLabels{Key: e.Key}
			after = e.Key
		}
	}
	for _, c := range communities {
		for _, key := range c.Members {
			if labels[key] == nil {
				labels[key] = &neo4jstore.EntityLabels{Key: key}
			}
			e := labels[key]
			e.Labels, e.Communities = append(e.Labels, c.Label), append(e.Communities, int64(c.Ordinal))
			if c.Level == 0 {
				e.Community = c.Label
			}
		}
	}
	var rows []neo4jstore.EntityLabels
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		rows = append(rows, *labels[key])
	}
	if err := p.lane.WriteLabels(ctx, rows); err != nil {
		return err
	}
	return p.lane.Labelled(ctx, c.Generation)
}

func (p pipeline) sweep(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Swept == c.Generation {
		return err
	}
	return p.lane.Sweep(ctx, c.Generation)
}

// dump is the canonical dump of a corpus.
func dump(tb testing.TB, s *neo4jstore.Store, corpus string) []string {
	tb.Helper()
	var lines []string
	err := s.Dump(tb.Context(), corpus, "", func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return lines
}
