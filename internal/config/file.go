package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// FileName is the name of a file of settings.
const FileName = "neorag.yaml"

// readFile reads a file of settings: the named one, or else the one that is found in a
// folder. The path that it returns is "" if there is no file. A named file may be a
// pipe; a found one must be a regular file.
func readFile(named, dir string) (string, []byte, error) {
	if named == "" {
		path := filepath.Join(dir, FileName)
		content, err := userfile.Read(path, maxFileSize)
		if errors.Is(err, os.ErrNotExist) {
			return "", nil, nil
		}
		if err != nil {
			return path, nil, fmt.Errorf("read settings: %w", err)
		}
		return path, content, nil
	}
	f, err := os.Open(named)
	if err != nil {
		return named, nil, fmt.Errorf("read settings: %w", err)
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return named, nil, fmt.Errorf("read settings: %w", err)
	}
	return named, content, nil
}

// DefaultFile returns the text of a file that sets every key to its default, with
// comments.
func DefaultFile() string { return render(fileHead, keys(), sections()) }

const fileHead = "Settings of NeoRAG, all at their defaults. An empty value means the default.\n" +
	"Precedence: flag, then environment variable, then this file, then default.\n" +
	"API keys and passwords belong in environment variables, never in this file.\n" +
	"Paths are relative to the folder of this file. `neorag doctor` shows the values in effect.\n" +
	"After an edit of models, servers or folders, run `neorag trust`, or name the file with --config."

// sections are the comments above the sections of the file.
var sections = sync.OnceValue(func() map[string]string {
	out := map[string]string{
		"models":           "Models. Without one, and without an OpenAI key, rule-based text processing does the work.",
		"models.chat":      "The model for all tasks.",
		"models.embedding": "The embedding model. Empty values are as for the chat model.",
		"models.rerank":    "A model that reranks the sources of a question.",
		"extract":          "How a model reads the text. A change redoes the extraction, and asks for --yes first.",
		"source":           "Which files are read, and how.",
		"chunk":            "How texts are split. A change redoes what depends on it.",
		"clusters":         "How communities are detected.",
		"reports":          "Community reports.",
		"labels":           "Labels that show communities in Neo4j Browser.",
		"index":            "How `neorag index` behaves.",
		"query":            "How questions are answered.",
		"neo4j":            "The Neo4j server to use. Its password is only read from " + EnvPassword + ".",
		"server":           "The local server of `neorag up`.",
		"log":              "What is logged, and where.",
	}
	for i, t := range Tasks() {
		out["models."+t.Name] = t.Doc
		if i == 0 {
			out["models."+t.Name] = "A separate model for a task. Empty values are as for the chat model.\n" + t.Doc
		}
	}
	return out
})

// WriteFile writes a file of settings, whole or not at all. Unless overwrite is
// set, it returns an os.ErrExist if the file exists.
func WriteFile(path, text string, overwrite bool) error {
	if !overwrite {
		return userfile.WriteNew(path, 0o644, []byte(text))
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	return userfile.Write(path, 0o644, []byte(text))
}
