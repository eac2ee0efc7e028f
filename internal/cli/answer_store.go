package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/query"
)

// maxStoredAnswers is how many answers are stored for `neorag trace`.
const maxStoredAnswers = 100

// errNoAnswer is returned if no answer is stored.
var errNoAnswer = errors.New("no answer is stored yet")

func answersFolder(env *environment) string { return filepath.Join(env.home(), "answers") }

// storeAnswer stores an answer, deletes the oldest ones beyond maxStoredAnswers,
// and returns the path. File names sort by time.
func storeAnswer(env *environment, a query.Answer) (string, error) {
	folder := answersFolder(env)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000000000")+".json")
	a.Trace = path
	body, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode the answer: %w", err)
	}
	if err := os.WriteFile(path, append(body, '\n'), 0o600); err != nil {
		_ = os.Remove(path) // it may be incomplete
		return "", err
	}
	names, err := answerFiles(folder)
	if err != nil {
		return path, err
	}
	for len(names) > maxStoredAnswers {
		if err := os.Remove(filepath.Join(folder, names[0])); err != nil && !errors.Is(err, os.ErrNotExist) {
			return path, err
		}
		names = names[1:]
	}
	return path, nil
}

// answerFiles returns the file names of stored answers, oldest first.
func answerFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list stored answers: %w", err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// readAnswer reads the answer in a file, or the last stored one if path is "".
func readAnswer(env *environment, path string) (query.Answer, error) {
	if path == "" {
		names, err := answerFiles(answersFolder(env))
		if err != nil {
			return query.Answer{}, err
		}
		if len(names) == 0 {
			return query.Answer{}, errNoAnswer
		}
		path = filepath.Join(answersFolder(env), names[len(names)-1])
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return query.Answer{}, fmt.Errorf("read the answer: %w", err)
	}
	var a query.Answer
	if err := json.Unmarshal(body, &a); err != nil {
		return a, fmt.Errorf("read the answer in %s: %w", path, err)
	}
	return a, nil
}
