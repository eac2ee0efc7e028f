package userdata

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
	"github.com/neorag/neorag/internal/sys/userfile"
)

// maxStoredAnswers is how many answers are stored for `neorag trace`.
const maxStoredAnswers = 100

// ErrNoAnswer is returned if no answer is stored.
var ErrNoAnswer = errors.New("no answer is stored yet")

// A Folder finds the folder of this user, if there is one.
type Folder func() (string, error)

func (f Folder) answers() (string, error) {
	home, err := f()
	return filepath.Join(home, "answers"), err
}

// StoreAnswer stores an answer, deletes the oldest ones beyond maxStoredAnswers,
// and returns the name of its file, which is its Trace. File names sort by time.
func (f Folder) StoreAnswer(a query.Answer) (string, error) {
	folder, err := f.answers()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	a.Stored = time.Now().UTC().Format("20060102T150405.000000000") + ".json"
	path := filepath.Join(folder, a.Stored)
	body, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode the answer: %w", err)
	}
	if err := userfile.WritePrivate(path, append(body, '\n')); err != nil {
		return "", err
	}
	names, err := answerFiles(folder)
	if err != nil {
		return a.Stored, err
	}
	for len(names) > maxStoredAnswers {
		if err := os.Remove(filepath.Join(folder, names[0])); err != nil && !errors.Is(err, os.ErrNotExist) {
			return a.Stored, err
		}
		names = names[1:]
	}
	return a.Stored, nil
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

// ReadAnswer reads the answer in a file, or the last stored one if path is "". A path
// without a folder may be the Trace of a stored answer.
func (f Folder) ReadAnswer(path string) (query.Answer, error) {
	if path == "" {
		last, err := f.lastAnswer()
		if err != nil {
			return query.Answer{}, err
		}
		path = last
	}
	body, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && filepath.Base(path) == path {
		if stored, serr := f.readStored(path); serr == nil {
			body, err = stored, nil
		}
	}
	if err != nil {
		return query.Answer{}, fmt.Errorf("read the answer: %w", err)
	}
	var a query.Answer
	if err := json.Unmarshal(body, &a); err != nil {
		return a, fmt.Errorf("read the answer in %s: %w", path, err)
	}
	return a, nil
}

// lastAnswer returns the path of the last stored answer.
func (f Folder) lastAnswer() (string, error) {
	folder, err := f.answers()
	if err != nil {
		return "", err
	}
	names, err := answerFiles(folder)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", ErrNoAnswer
	}
	return filepath.Join(folder, names[len(names)-1]), nil
}

// readStored reads the stored answer with a name.
func (f Folder) readStored(name string) ([]byte, error) {
	folder, err := f.answers()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, name))
}
