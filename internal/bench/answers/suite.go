package main

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// A suite is questions about the documents of a folder.
type suite struct {
	name, folder string
	questions    []question
}

// corpus returns the name of the suite as one of a corpus.
func (s suite) corpus() string {
	return "answers_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(s.name))
}

// A question of a suite. An answer is right if it has all of Must, and its first statement has none of
// Not. They are parts of texts, or regular expressions between slashes; case does not count. A question without Must is one that
// the documents do not answer.
type question struct {
	ID     string   `json:"id"`
	Text   string   `json:"question"`
	Kind   string   `json:"kind"`
	Lang   string   `json:"lang"`
	Answer string   `json:"answer"` // for readers
	Must   []string `json:"must"`
	Not    []string `json:"not"`
}

// builtIn are the questions about the small inputs of the test corpora.
//
//go:embed testdata/cases/*.jsonl
var builtIn embed.FS

// readSuites returns the built-in suites, then those in folders that have docs and questions.jsonl.
func readSuites(o options) ([]suite, error) {
	files, err := builtIn.ReadDir("testdata/cases")
	if err != nil {
		return nil, err
	}
	var suites []suite
	add := func(s suite, fsys fs.FS, file string) (err error) {
		if !strings.Contains(s.name, o.only) {
			return nil
		}
		if s.questions, err = readQuestions(fsys, file); err != nil {
			return fmt.Errorf("questions of %s: %w", s.name, err)
		}
		suites = append(suites, s)
		return nil
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".jsonl")
		s := suite{name: name, folder: filepath.Join(o.data, "cases", "answers", name)}
		if err := add(s, builtIn, path.Join("testdata/cases", f.Name())); err != nil {
			return nil, err
		}
	}
	for _, folder := range o.folders {
		folder = filepath.Clean(folder)
		name := path.Join(filepath.Base(filepath.Dir(folder)), filepath.Base(folder))
		s := suite{name: name, folder: filepath.Join(folder, "docs")}
		if err := add(s, os.DirFS(folder), "questions.jsonl"); err != nil {
			return nil, err
		}
	}
	return suites, nil
}

// readQuestions reads one question a line.
func readQuestions(fsys fs.FS, file string) ([]question, error) {
	f, err := fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var out []question
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if q.ID == "" {
			q.ID = strconv.Itoa(n)
		}
		out = append(out, q)
	}
	return out, lines.Err()
}
