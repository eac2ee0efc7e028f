package cli

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

// purgeDocuments deletes the kept answers, the turns of conversations and the cached
// responses of a corpus that hold a word which only the documents have, and answers that
// cite the documents.
func purgeDocuments(ctx context.Context, env *environment, o removeOptions, what index.Purge) (f Purged, err error) {
	gone := purge{o.corpus, what}
	if f.Answers, err = purgeAnswers(env, gone); err != nil {
		return f, err
	}
	if f.Turns, err = purgeTurns(env, gone); err != nil {
		return f, err
	}
	dir, err := env.cacheFolder(o.cacheDir)
	if err != nil {
		return f, err
	}
	removed, err := (&llm.Cache{Dir: dir}).Purge(ctx, o.corpus, gone.holds)
	f.Responses, f.Shared = removed.Removed, removed.Shared
	if err != nil {
		return f, fmt.Errorf("delete cached responses: %w", err)
	}
	return f, nil
}

// purgeCorpus deletes the record of the cached responses that a corpus got.
func purgeCorpus(env *environment, o removeOptions) error {
	dir, err := env.cacheFolder(o.cacheDir)
	if err != nil {
		return err
	}
	if err := (&llm.Cache{Dir: dir}).RemoveUser(o.corpus); err != nil {
		return fmt.Errorf("delete the record of cached responses: %w", err)
	}
	return nil
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
func purgeAnswers(env *environment, f purge) (int, error) {
	folder, err := answersFolder(env)
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
		if !f.answer(body) {
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
