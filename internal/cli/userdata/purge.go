package userdata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
)

// Purged is what was deleted outside the graph because it held words of removed
// documents.
type Purged struct {
	Turns     int `json:"turns"`     // of conversations in files of neorag query --history
	Answers   int `json:"answers"`   // that were kept for `neorag trace`
	Responses int `json:"responses"` // of models, in the cache
	Shared    int `json:"shared"`    // responses that stay, because other corpora use them
}

// A purge is what no file may hold any more.
type purge struct {
	corpus string
	index.Purge
}

// holds reports whether a text has one of the words.
func (f purge) holds(s string) bool {
	for word := range text.Words(s) {
		if f.Words[word] {
			return true
		}
	}
	return false
}

// cites reports whether one of the documents is removed.
func (f purge) cites(documents []string) bool {
	return slices.ContainsFunc(documents, func(uri string) bool {
		_, removed := slices.BinarySearch(f.URIs, uri)
		return removed
	})
}

// Purge deletes the kept answers, the turns of conversations and the cached
// responses of a corpus that hold a word which only the documents have, and answers that
// cite the documents.
func (f Folder) Purge(ctx context.Context, cache *llm.Cache, corpus string, what index.Purge) (done Purged, err error) {
	gone := purge{corpus, what}
	if done.Answers, err = f.purgeAnswers(gone); err != nil {
		return done, err
	}
	if done.Turns, err = f.purgeTurns(gone); err != nil {
		return done, err
	}
	removed, err := cache.Purge(ctx, corpus, gone.holds)
	done.Responses, done.Shared = removed.Removed, removed.Shared
	if err != nil {
		return done, fmt.Errorf("delete cached responses: %w", err)
	}
	return done, nil
}

// jsonBreaks replaces the escapes of white space and quotes, which would be taken for parts
// of words.
var jsonBreaks = strings.NewReplacer(`\n`, " ", `\r`, " ", `\t`, " ", `\"`, " ")

// isFrom reports whether an answer is from a corpus.
func isFrom(a query.Answer, corpus string) bool {
	return namesCorpus(a.Corpus, corpus) || slices.ContainsFunc(a.References, func(r cite.Reference) bool { return r.Corpus == corpus })
}

// namesCorpus reports whether a list of corpora, such as "letters, diaries", has one of them.
func namesCorpus(list, corpus string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(name string) bool { return strings.TrimSpace(name) == corpus })
}

// purgeAnswers deletes the kept answers that are forgotten.
func (f Folder) purgeAnswers(gone purge) (int, error) {
	folder, err := f.answers()
	if err != nil {
		return 0, err
	}
	names, err := answerFiles(folder)
	if err != nil {
		return 0, err
	}
	deleted := 0
	for _, name := range names {
		path := filepath.Join(folder, name)
		body, err := os.ReadFile(path) //nolint:gosec // a file of the folder
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return deleted, fmt.Errorf("read a kept answer: %w", err)
		}
		if !gone.answer(body) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return deleted, fmt.Errorf("delete a kept answer: %w", err)
		}
		deleted++
	}
	return deleted, nil
}

// answer reports whether a kept answer is forgotten: it is from the corpus and holds a word,
// or cites a document, or it cannot be read but holds a word.
func (f purge) answer(body []byte) bool {
	var a query.Answer
	if json.Unmarshal(body, &a) != nil {
		return f.holds(jsonBreaks.Replace(string(body)))
	}
	return isFrom(a, f.corpus) && (f.cites(f.documentsIn(a)) || f.holds(jsonBreaks.Replace(string(body))))
}

// documentsIn returns the documents of the corpus that an answer cites.
func (f purge) documentsIn(a query.Answer) (uris []string) {
	for _, r := range a.References {
		if r.Corpus == "" || r.Corpus == f.corpus {
			uris = append(uris, r.Document)
		}
	}
	return uris
}
