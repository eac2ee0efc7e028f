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

// keptAnswers is how many answers stay for `neorag trace`.
const keptAnswers = 100

// errNoAnswer says that there is no answer to trace.
var errNoAnswer = errors.New("no answer is kept yet")

func (c *command) answersFolder() string { return filepath.Join(c.home(), "answers") }

// keepAnswer stores an answer where `neorag trace` finds it, and returns the
// file's path. Names sort by time; the oldest files go.
func (c *command) keepAnswer(a query.Answer) (string, error) {
	folder := c.answersFolder()
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
		_ = os.Remove(path) // half an answer is none
		return "", err
	}
	names, err := answerFiles(folder)
	if err != nil {
		return path, err
	}
	for len(names) > keptAnswers {
		if err := os.Remove(filepath.Join(folder, names[0])); err != nil && !errors.Is(err, os.ErrNotExist) {
			return path, err
		}
		names = names[1:]
	}
	return path, nil
}

// answerFiles are the names of kept answers, oldest first.
func answerFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
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

// readAnswer reads a kept answer: the file given, else the last one.
func (c *command) readAnswer(path string) (query.Answer, error) {
	if path == "" {
		names, err := answerFiles(c.answersFolder())
		if err != nil {
			return query.Answer{}, err
		}
		if len(names) == 0 {
			return query.Answer{}, errNoAnswer
		}
		path = filepath.Join(c.answersFolder(), names[len(names)-1])
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
