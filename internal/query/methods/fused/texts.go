package fused

import (
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// readTexts reads the texts of candidates, compares them with the question and its parts,
// and searches for feedback: two round trips.
func (f *fusion) readTexts(ctx context.Context, searches []*partSearch) error {
	documents := f.candidates(searches[0])
	wanted := map[string]bool{}
	for _, d := range documents {
		wanted[d] = true
	}
	var passages, chunks []string
	seen := map[string]bool{} // passages and chunks
	taken := map[string]int{} // chunks by document
	for _, s := range searches {
		for i, h := range s.hits.Passages {
			if (wanted[h.Document] || i < feedbackTexts) && !seen[h.Key] {
				seen[h.Key] = true
				passages = append(passages, h.Key)
			}
			if wanted[h.Document] && taken[h.Document] < chatsPerText && !seen[h.Owner] {
				seen[h.Owner] = true
				taken[h.Document]++
				chunks = append(chunks, h.Owner)
			}
		}
	}
	texts, err := f.Reader.Store.Texts(ctx, f.corpus.Name, passages, f.withFeedbackDocuments(documents, searches), chunks)
	if err != nil {
		return err
	}
	queries := make([]string, len(searches))
	for i, s := range searches {
		if f.uses(PathFeedback) {
			queries[i] = f.feedbackOf(s, texts)
		}
	}
	scores, err := f.Reader.Store.DocumentScores(ctx, f.corpus.Name, queries, feedbackHits)
	if err != nil {
		return err
	}
	for i, s := range searches {
		s.scores = scores[i]
		f.compare(s, documents, texts)
	}
	return nil
}

// withFeedbackDocuments adds the documents of the passages that feedback is taken from.
func (f *fusion) withFeedbackDocuments(documents []string, searches []*partSearch) []string {
	all := slices.Clone(documents)
	for _, s := range searches {
		for _, h := range s.hits.Passages[:min(feedbackTexts, len(s.hits.Passages))] {
			if !slices.Contains(all, h.Document) {
				all = append(all, h.Document)
			}
		}
	}
	return all
}

// feedbackOf returns the query for what is typical of the best passages.
func (f *fusion) feedbackOf(s *partSearch, texts neo4jstore.Texts) string {
	var best []rank.FeedbackText
	for _, h := range s.hits.Passages[:min(feedbackTexts, len(s.hits.Passages))] {
		best = append(best, rank.FeedbackText{Terms: strings.Fields(texts.Passages[h.Key]), Score: h.Score})
	}
	terms, weights := rank.Feedback(best, f.rarity)
	var q textproc.Query
	for i, t := range terms {
		q.Terms = append(q.Terms, textproc.WeightedTerm{Term: t, Weight: weights[i]})
		s.feedbackMass += float64(weights[i] * f.rarity(t))
	}
	return q.Lucene()
}

// compare fills in the features that texts give for documents and their chunks.
func (f *fusion) compare(s *partSearch, documents []string, texts neo4jstore.Texts) {
	ofDocument, ofChunk := map[string]*rank.Overlap{}, map[string]*rank.Overlap{}
	chunksOf, leads := map[string][]string{}, map[string][]string{}
	for _, d := range documents {
		ofDocument[d], leads[d] = &rank.Overlap{}, strings.Fields(texts.Leads[d])
	}
	for _, h := range s.hits.Passages {
		o, ok := ofDocument[h.Document]
		if !ok {
			continue
		}
		if ofChunk[h.Owner] == nil {
			ofChunk[h.Owner] = &rank.Overlap{}
			chunksOf[h.Document] = append(chunksOf[h.Document], h.Owner)
		}
		lead := leads[h.Document]
		own := strings.Fields(texts.Passages[h.Key])
		own = own[:max(0, len(own)-len(lead))]
		o.Add(s.asked, own, lead)
		ofChunk[h.Owner].Add(s.asked, own, lead)
	}
	compared := map[string]bool{} // documents, by their passages
	for d := range chunksOf {
		compared[d] = true
	}
	for _, h := range s.hits.ChunkVectors {
		if d, ok := f.graph.DocumentOf(h.Key); ok && ofDocument[d] != nil && ofChunk[h.Key] == nil {
			ofChunk[h.Key] = &rank.Overlap{}
			chunksOf[d] = append(chunksOf[d], h.Key)
		}
	}
	best := 0.
	for _, h := range s.hits.Passages {
		best = max(best, h.Score)
	}
	allPairs := float64(len(s.query.Pairs)) * rank.Rarity(f.graph.Documents(), 0) // nearly all pairs are rare
	passages, pairs := bestHits(s.hits.Passages, best), bestHits(s.hits.Pairs, allPairs)
	for _, d := range documents {
		lead, head := leads[d], strings.Fields(texts.Heads[d])
		if !compared[d] {
			ofDocument[d].Add(s.asked, head[:min(60, len(head))], lead)
		}
		shared := rank.Features{
			Title: s.asked.TitleScore(lead, f.rarity), Head: s.asked.TitleScore(head[:min(headTerms, len(head))], f.rarity),
			Speaker: f.spoken(s, chunksOf[d], texts), Length: f.length(s, d),
		}
		if s.feedbackMass > 0 {
			shared.Feedback = s.scores[d] / s.feedbackMass
		}
		s.documents[d] = withOverlap(shared, *ofDocument[d], passages[d], pairs[d])
		for _, c := range chunksOf[d] {
			s.chunks[c] = withOverlap(shared, *ofChunk[c], passages[c], pairs[c])
		}
	}
}

// withOverlap adds the features of passages to those of a document.
func withOverlap(e rank.Features, o rank.Overlap, passage, pair float64) *rank.Features {
	e.Passage, e.Pair = passage, pair
	e.Bigrams, e.Window, e.Coverage, e.Capitals, e.Numbers = o.Bigrams, o.Window, o.Coverage, o.Capitals, o.Numbers
	return &e
}

// bestHits returns the best score of each document and chunk, relative to a whole.
func bestHits(hits []neo4jstore.Hit, whole float64) map[string]float64 {
	out := map[string]float64{}
	for _, h := range hits {
		for _, key := range []string{h.Document, h.Owner} {
			if whole > 0 {
				out[key] = max(out[key], h.Score/whole)
			}
		}
	}
	return out
}

// spoken returns what a person that the question names says of it in chunks of a chat.
func (f *fusion) spoken(s *partSearch, chunks []string, texts neo4jstore.Texts) float64 {
	best := 0.
	for _, c := range chunks {
		text := texts.Chunks[c]
		if text == "" || !textproc.IsChat(text) {
			continue
		}
		messages := textproc.Messages(text)
		for i, m := range messages {
			var around []string
			for _, o := range messages[max(0, i-1):min(len(messages), i+2)] {
				around = append(around, o.Terms...)
			}
			best = max(best, s.asked.SpeakerScore(m.Speaker, around))
		}
	}
	return best
}
