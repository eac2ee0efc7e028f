package service

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Documents is a page of the documents of a corpus.
type Documents struct {
	Documents []Document `json:"documents"`
	Next      string     `json:"next,omitempty" doc:"Where the next page begins (after); absent on the last page"`
}

// A Document is a document in a list.
type Document struct {
	Key      string `json:"key"`
	Document string `json:"document" doc:"URI"`
	Title    string `json:"title"`
	Date     string `json:"date,omitempty"`
	Language string `json:"language,omitempty"`
	Chunks   int    `json:"chunks"`
	Tokens   int    `json:"tokens"`
	Href     string `json:"href" doc:"Path of its page on this server"`
}

// Documents returns a page of at most limit documents, in the order of their keys, after a key.
func (s *Service) Documents(ctx context.Context, corpus, after string, limit int) (Documents, error) {
	out := Documents{Documents: []Document{}}
	if _, err := s.shown(ctx, corpus); err != nil {
		return out, err
	}
	page, err := s.options.Store.DocumentPage(ctx, corpus, after, limit)
	if err != nil {
		return out, err
	}
	for _, d := range page {
		out.Documents = append(out.Documents, documentOf(corpus, d))
	}
	if len(page) == limit {
		out.Next = page[len(page)-1].Key
	}
	return out, nil
}

func documentOf(corpus string, d neo4jstore.DocumentLine) Document {
	return Document{d.Key, d.URI, d.Title, d.Date, d.Language, d.Chunks, d.NTokens, DocumentHref(corpus, d.Key, 0, 0, "")}
}

// A Text is a part of a document's text. Offsets are counted as in references.
type Text struct {
	Document Document `json:"document"`
	Before   string   `json:"before"`
	Quote    string   `json:"quote" doc:"From start to end"`
	After    string   `json:"after"`
	Start    int      `json:"start"`
	End      int      `json:"end"`
	From     int      `json:"from" doc:"Where what is returned begins, without white space"`
	To       int      `json:"to" doc:"Where what is returned ends"`
	Length   int      `json:"length" doc:"Where the text ends"`
	cite.Place
}

// Text reads a part of a document's text from the index, with at most around bytes on each side of the
// range. The document is named by its key, with or without the corpus.
func (s *Service) Text(ctx context.Context, corpus, document string, start, end, around int) (Text, error) {
	if _, err := s.shown(ctx, corpus); err != nil {
		return Text{}, err
	}
	if document != "" && graph.CorpusOf(document) != corpus {
		document = graph.DocumentKey(corpus, document)
	}
	w, err := s.options.Store.DocumentWindow(ctx, corpus, document, start-around, max(start, end)+around)
	if err != nil {
		return Text{}, err
	}
	out := Text{Document: documentOf(corpus, w.Document), Start: start, End: end, From: start, To: end, Length: w.Length}
	if len(w.Chunks) > 0 { // else nothing or white space is there
		at := cite.WindowOf(w.Chunks, start, end, around)
		out.Before, out.Quote, out.After, out.Place = at.Before, at.Quote, at.After, at.Place
		out.Start, out.End, out.From, out.To = at.Start, at.End, at.From, at.To
	}
	return out, nil
}
