package neo4jstore_test

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A world holds documents by URI, each a list of texts of chunks: sentences of words,
// where each word is an entity related to the next one, and "!a b" is a claim with
// subject a and object b.
type world map[string][]string

const dimension = 4

// A pipeline runs all stages of indexing on a corpus, using only the work lists of the
// store.
type pipeline struct {
	store  *neo4jstore.Store
	writer *neo4jstore.Writer
	corpus string
	page   int // mentions or rows a page
}

// indexWorld updates the corpus to the world, and returns the changes.
func indexWorld(tb testing.TB, s *neo4jstore.Store, corpus string, w world) (neo4jstore.Counters, error) {
	tb.Helper()
	var counters neo4jstore.Counters
	err := s.WithWriter(tb.Context(), corpus, "test "+tb.Name(), 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p := pipeline{store: s, writer: writer, corpus: corpus, page: 7}
		err := p.run(ctx, w)
		counters = writer.Counters()
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
		if err := p.writer.WriteDocuments(ctx, writes); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return p.writer.RemoveDocuments(ctx, gone)
}

func (p pipeline) extract(ctx context.Context) error {
	for after := ""; ; {
		documents, err := p.store.PendingDocuments(ctx, p.corpus, after, 2)
		if err != nil || len(documents) == 0 {
			return err
		}
		var writes []neo4jstore.ExtractionWrite
		for _, d := range documents {
			chunks, err := p.store.DocumentChunks(ctx, p.corpus, d.Key)
			if err != nil {
				return err
			}
			for _, c := range chunks {
				if c.Pending {
					writes = append(writes, p.extraction(c))
				}
			}
		}
		if err := p.writer.WriteExtractions(ctx, writes); err != nil {
			return err
		}
		after = documents[len(documents)-1].Key
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
		return p.writer.WriteRelationships(ctx, rows, gone, neo4jstore.DeriveOptions{})
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
		return p.writer.WriteEntities(ctx, rows, gone, neo4jstore.DeriveOptions{})
	})
}

// joined returns a description that does not depend on the order of mentions.
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
		return p.writer.WriteDescriptions(ctx, graph.KindEntity, rows, neo4jstore.DescribeOptions{})
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
		return p.writer.WriteDescriptions(ctx, graph.KindRelationship, rows, neo4jstore.DescribeOptions{})
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
	return p.embedKinds(ctx, graph.KindChunk, graph.KindEntity, graph.KindRelationship)
}

func (p pipeline) embedKinds(ctx context.Context, kinds ...graph.Kind) error {
	for _, kind := range kinds {
		err := paged(func(after string) ([]neo4jstore.EmbedItem, error) {
			return p.store.PendingEmbed(ctx, p.corpus, kind, after, p.page)
		}, func(e neo4jstore.EmbedItem) string { return e.Key }, func(page []neo4jstore.EmbedItem) error {
			var rows []neo4jstore.Embedded
			for _, e := range page {
				fp := fingerprint(e.Text)
				rows = append(rows, neo4jstore.Embedded{Key: e.Key, EmbedFP: fp, Unchanged: fp == e.EmbedFP, Vector: vector(e.Text)})
			}
			return p.writer.WriteEmbeddings(ctx, kind, dimension, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
