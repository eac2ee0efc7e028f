package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A variant is a setting of the search. The zero value of most fields is the default.
type variant struct {
	name  string
	node  string // pair, query, answer or sentence; chunk, d2q and d2q-- compare chunks alone
	alpha float64
	n     int
	gamma float64
	hops  int
	k     int
	pool  string // mean, max or sum
	terms bool   // compare terms weighted by rarity instead of hashed vectors
}

func standard() variant {
	return variant{name: "default", node: "pair", alpha: .8, n: qcg.DefaultSeeds, gamma: qcg.DefaultGamma, hops: qcg.DefaultHops, k: qcg.DefaultNeighbours, pool: "mean"}
}

// nodes are the nodes of a topic of one kind, with the neighbours that were asked for so far.
type nodes struct {
	set    *qcg.Set
	chunk  []int // of each node
	near   map[string][]qcg.Neighbour
	scale  qcg.Scale
	chunks []piece
	terms  weighted

	vectors *vectors
}

// mostNeighbours is how many neighbours of a node are kept.
const mostNeighbours = 5

// nodesOf returns the nodes of a variant.
func (t *topic) nodesOf(ctx context.Context, v variant) (*nodes, error) {
	id := fmt.Sprint(v.node, v.alpha)
	if s := t.sets[id]; s != nil {
		return s, nil
	}
	s := &nodes{near: map[string][]qcg.Neighbour{}, chunks: t.chunks, vectors: t.vectors, terms: weighted{postings: map[string][]posting{}}}
	for at, c := range t.chunks {
		texts := slices.DeleteFunc(textsOf(c, v), func(text string) bool { return strings.TrimSpace(text) == "" })
		made, err := t.vectors.of(ctx, texts)
		if err != nil {
			return nil, err
		}
		for i, text := range texts {
			if s.set == nil {
				s.set = qcg.NewSet(len(made[i]), 20*len(t.chunks))
			}
			s.set.Add(fmt.Sprintf("%s#%04d", c.key, i), made[i])
			s.chunk = append(s.chunk, at)
			s.terms.addText(text)
		}
	}
	s.terms.finish()
	err := s.measure(ctx)
	t.sets[id] = s
	return s, err
}

// textsOf returns the texts of the nodes of a chunk.
func textsOf(c piece, v variant) []string {
	kept := c.pairs[:qcg.Kept(len(c.pairs), v.alpha)]
	var out []string
	switch v.node {
	case "chunk":
		return []string{c.text}
	case "d2q":
		out = append(out, c.text)
		for _, p := range kept {
			out = append(out, p.Query)
		}
		return []string{strings.Join(out, "\n")}
	case "sentence":
		for _, s := range textproc.Sentences(c.text) {
			out = append(out, c.text[s.Start:s.End])
		}
		return out
	}
	for _, p := range kept {
		text := p.Text()
		switch v.node {
		case "query":
			text = p.Query
		case "answer":
			text = p.Answer
		}
		out = append(out, text)
	}
	return out
}

// sampled is on how many nodes the scale is measured.
const sampled = 300

// measure finds the scale of the cosines, on a sample.
func (s *nodes) measure(ctx context.Context) error {
	var sample []int
	for i := 0; i < s.set.Len(); i += max(1, s.set.Len()/sampled) {
		sample = append(sample, i)
	}
	found, err := s.set.Nearest(ctx, sample, mostNeighbours, runtime.NumCPU())
	if err != nil {
		return err
	}
	var unrelated, near float64
	for i, node := range sample {
		s.near[s.set.Key(node)] = found[i]
		unrelated += s.set.Similarity(node, sample[(i+1)%len(sample)])
		if len(found[i]) > 0 {
			near += found[i][0].Score
		}
	}
	s.scale = qcg.Scale{Unrelated: unrelated / float64(len(sample)), Near: near / float64(len(sample))}
	return nil
}

// search returns the documents for a question, best first.
func (s *nodes) search(ctx context.Context, v variant, question string) ([]string, error) {
	made, err := s.vectors.of(ctx, []string{question})
	if err != nil {
		return nil, err
	}
	hits := make([]qcg.Hit, 0, s.set.Len())
	least := s.scale.Calibrate(v.gamma)
	if v.terms {
		least = 1 + 1e-9 // a shared term
		for i, x := range s.terms.cosines(question) {
			hits = append(hits, qcg.Hit{Key: s.set.Key(i), Chunk: s.chunks[s.chunk[i]].key, Score: 1 + x})
		}
	} else {
		for i := range s.set.Len() {
			hits = append(hits, qcg.Hit{Key: s.set.Key(i), Chunk: s.chunks[s.chunk[i]].key, Score: 1 + s.set.Cosine(i, made[0])})
		}
	}
	found := qcg.Seeds(hits, least, v.n)
	for hop, frontier := 1, found; hop <= v.hops; hop++ {
		added, err := s.added(ctx, v, found, frontier, hits, hop)
		if err != nil {
			return nil, err
		}
		found, frontier = append(slices.Clone(found), added...), added
	}
	return documentsOf(pooled(qcg.ScoreChunks(found), v.pool)), nil
}

// added returns the neighbours of the nodes of a frontier that were not found yet.
func (s *nodes) added(ctx context.Context, v variant, found, frontier, hits []qcg.Hit, hop int) ([]qcg.Hit, error) {
	seen := map[string]bool{}
	for _, h := range found {
		seen[h.Key] = true
	}
	var missing []int
	for _, h := range frontier {
		if _, ok := s.near[h.Key]; !ok {
			at, _ := s.set.Find(h.Key)
			missing = append(missing, at)
		}
	}
	lists, err := s.set.Nearest(ctx, missing, mostNeighbours, runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	for i, at := range missing {
		s.near[s.set.Key(at)] = lists[i]
	}
	var out []qcg.Hit
	for _, h := range frontier {
		list := s.near[h.Key]
		for _, n := range list[:min(v.k, len(list))] {
			if seen[n.Key] {
				continue
			}
			seen[n.Key] = true
			at, _ := s.set.Find(n.Key)
			added := hits[at]
			added.Hop = hop
			out = append(out, added)
		}
	}
	return out, nil
}

// pooled orders chunks by another score than the mean.
func pooled(chunks []qcg.ChunkScore, pool string) []qcg.ChunkScore {
	if pool == "mean" {
		return chunks
	}
	for i := range chunks {
		score := 0.
		for _, h := range chunks[i].Hits {
			if pool == "max" {
				score = max(score, h.Score-1)
			} else {
				score += h.Score - 1
			}
		}
		chunks[i].Score = score
	}
	slices.SortStableFunc(chunks, func(a, b qcg.ChunkScore) int { return cmp.Compare(b.Score, a.Score) })
	return chunks
}

// documentsOf returns the documents of chunks in the order of the best chunk of each.
func documentsOf(chunks []qcg.ChunkScore) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range chunks {
		if document, _, _ := strings.Cut(c.Chunk, "#"); !seen[document] {
			seen[document] = true
			out = append(out, document)
		}
	}
	return out
}
