package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
)

// A DocumentState is what decides whether a document must be read again.
type DocumentState struct {
	Key      string
	URI      string
	Root     string
	SHA256   string // empty while its write is incomplete
	SourceFP string
	ChunkFP  string
	NTokens  int
	Row      int // of a record; see graph.Places
	Line     int
}

// Exclusions are the documents that are kept out of a corpus, as sorted lists of URIs.
type Exclusions struct {
	Documents  []string // that were removed and are kept out
	Unfinished []string // of these, the ones that the corpus may still hold, or results that were derived from them
	Readmitted []string // since the last run that wrote something
}

// Exclusions reads which documents are kept out of the corpus.
func (s *Store) Exclusions(ctx context.Context, corpus string) (Exclusions, error) {
	found, err := rows(ctx, s, readExclusions, corpus, nil)
	if err != nil {
		return Exclusions{}, fmt.Errorf("read the documents that are kept out of corpus %s: %w", corpus, err)
	}
	if len(found) == 0 {
		return Exclusions{}, fmt.Errorf("corpus %s: %w", corpus, ErrNoCorpus)
	}
	return Exclusions{found[0].Excluded, found[0].RemovingDocuments, found[0].Readmitted}, nil
}

// MainLanguage returns the ISO 639-1 code of the language that documents with more than half of
// all tokens have, "" if there is none.
func (s *Store) MainLanguage(ctx context.Context, corpus string) (string, error) {
	var most string
	var first, all int
	err := eachRow(ctx, s, readDocumentLanguages, corpus, nil, func(row documentLanguagesRow) {
		if all == 0 {
			most, first = row.Language, row.Tokens
		}
		all += row.Tokens
	})
	if err != nil {
		return "", fmt.Errorf("read the languages of corpus %s: %w", corpus, err)
	}
	if 2*first <= all {
		return "", nil
	}
	return most, nil
}

// Documents reads the documents of the corpus in key order.
func (s *Store) Documents(ctx context.Context, corpus string) ([]DocumentState, error) {
	return pageSpec[DocumentState]{reading: "list documents", statement: readDocuments, corpus: corpus, key: func(d DocumentState) string { return d.Key }}.all(ctx, s)
}

// fewChunks is the number of marked chunks up to which it is cheaper to read all of
// them for every page than to go through the documents.
const fewChunks = 2000

// A PendingDocument is a document with a chunk to extract.
type PendingDocument struct {
	Key     string
	NTokens int // of all its chunks
}

// PendingDocuments reads at most limit documents after the given key, in key order, that
// have a chunk to extract. It leaves out a document whose write is not complete: other
// chunks of it may follow. Only an empty page is the last one.
func (s *Store) PendingDocuments(ctx context.Context, corpus, afterDocument string, limit int) ([]PendingDocument, error) {
	var documents []PendingDocument
	from := graph.Key(corpus, "")
	params := keyRange(corpus, afterDocument, limit)
	params["from"] = from
	found, err := rows(ctx, s, readPendingChunks, corpus, map[string]any{"after": from, "limit": fewChunks + 1})
	n := fewChunks + 1 // if it takes too long to count them
	if err == nil && len(found) > 0 {
		n = found[0]
	}
	switch {
	case err != nil && !isTooLarge(err) || n == 0:
	case n <= fewChunks:
		documents, err = pageOfRows(ctx, s, readPendingDocumentsFew, corpus, params, limit)
	default:
		documents, err = pageOfRows(ctx, s, readPendingDocumentsMany, corpus, params, limit)
	}
	return documents, wrap(err, "list documents to extract of corpus "+corpus)
}
