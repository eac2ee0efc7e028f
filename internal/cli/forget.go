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

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/text"
)

// Forgotten counts what was deleted outside the graph because it held words of removed
// documents.
type Forgotten struct {
	Answers   int `json:"answers"`   // that were kept for `neorag trace`
	Responses int `json:"responses"` // of models, in the cache
	Shared    int `json:"shared"`    // responses that stay, because other corpora use them
}

// forgetWords deletes the kept answers and the cached responses of a corpus that hold one
// of the words.
func forgetWords(ctx context.Context, env *environment, o removeOptions, words map[string]bool) (f Forgotten, err error) {
	holds := func(s string) bool {
		for word := range text.Words(s) {
			if words[word] {
				return true
			}
		}
		return false
	}
	if f.Answers, err = forgetAnswers(env, o.corpus, holds); err != nil {
		return f, err
	}
	dir, err := env.cacheFolder(o.cacheDir)
	if err != nil {
		return f, err
	}
	removed, err := (&llm.Cache{Dir: dir}).Forget(ctx, o.corpus, holds)
	f.Responses, f.Shared = removed.Removed, removed.Shared
	if err != nil {
		return f, fmt.Errorf("delete cached responses: %w", err)
	}
	return f, nil
}

// forgetCorpus deletes the record of the cached responses that a corpus got.
func forgetCorpus(env *environment, o removeOptions) error {
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
	return slices.ContainsFunc(strings.Split(a.Corpus, ","), func(name string) bool { return strings.TrimSpace(name) == corpus }) ||
		slices.ContainsFunc(a.References, func(r cite.Reference) bool { return r.Corpus == corpus })
}

// forgetAnswers deletes the kept answers from a corpus that hold a text, and those that
// cannot be read but hold it.
func forgetAnswers(env *environment, corpus string, holds func(string) bool) (int, error) {
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
		var a query.Answer
		readable := json.Unmarshal(body, &a) == nil
		if readable && !isFrom(a, corpus) || !holds(jsonBreaks.Replace(string(body))) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return deleted, fmt.Errorf("delete a kept answer: %w", err)
		}
		deleted++
	}
	return deleted, nil
}
