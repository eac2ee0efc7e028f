package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/prompts"
)

// A Reference is a file that restricted settings have the program obey: a prompt, examples of
// records, or a program that recognizes text.
type Reference struct {
	Name string // as the settings write it: relative to the folder of their file, or absolute
	Hash string // of the content
}

// maxReferenceSize bounds a file that settings refer to, in bytes. It may be a program.
const maxReferenceSize = 64 << 20

// A ChangedError names the files that were changed, added or removed since the user trusted the
// settings that refer to them.
type ChangedError struct{ Files []string }

func (e *ChangedError) Error() string {
	return "changed since it was trusted: " + strings.Join(e.Files, ", ")
}

// references returns the existing files that settings in a folder have the program obey, ordered
// by name.
func references(dir string, values map[string]fileValue) ([]Reference, error) {
	var out []Reference
	for _, name := range obeyed(dir, values) {
		hash, err := contentHash(name, dir)
		if err != nil {
			return nil, fmt.Errorf("read what the settings refer to: %w", err)
		}
		if hash != "" {
			out = append(out, Reference{name, hash})
		}
	}
	return out, nil
}

// obeyed returns the names of the files that the program would obey, whether they exist or not.
func obeyed(dir string, values map[string]fileValue) []string {
	var names []string
	if v, given := values["prompts"]; given {
		for _, file := range prompts.Files() {
			names = append(names, filepath.Join(v.Items[0], file))
		}
	}
	if v, given := values["extract.examples"]; given {
		names = append(names, filepath.Clean(v.Items[0]))
	}
	if v, given := values["source.ocr_command"]; given {
		names = append(names, commandFiles(dir, v.Items[0])...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// commandFiles returns the words of a command that may name files in a folder, such as a script.
// Programs elsewhere belong to the system: its updates replace them.
func commandFiles(dir, command string) []string {
	var names []string
	for i, word := range strings.Fields(command) {
		inPath := i == 0 && !strings.ContainsRune(word, filepath.Separator)
		within := filepath.IsLocal(word) || strings.HasPrefix(word, "."+string(filepath.Separator))
		if filepath.IsAbs(word) {
			within = strings.HasPrefix(filepath.Clean(word), dir+string(filepath.Separator))
		}
		if within && !inPath {
			names = append(names, filepath.Clean(word))
		}
	}
	return names
}

// contentHash returns the hash of a file, "" if there is none.
func contentHash(name, dir string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, name)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return "", nil // what obeys a folder or nothing in place of a file reports that
	}
	if err != nil {
		return "", err
	}
	content, err := userfile.Read(path, maxReferenceSize)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), err
}

// recordOf returns the lines of a record for files that settings refer to.
func recordOf(all []Reference) string {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%s %s\n", r.Hash, strconv.Quote(r.Name))
	}
	return b.String()
}

// changes compares the lines of a record with the files as they are, and returns the names of
// those that differ. A line that was not written by recordOf is a difference too.
func changes(record string, now []Reference) []string {
	lines := map[string]bool{}
	for line := range strings.Lines(record) {
		lines[line] = true
	}
	var changed []string
	for _, r := range now {
		line := recordOf([]Reference{r})
		if !lines[line] {
			changed = append(changed, r.Name)
		}
		delete(lines, line)
	}
	for line := range lines {
		_, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, err := strconv.Unquote(quoted)
		if err != nil {
			name = "the record"
		}
		changed = append(changed, cmp.Or(name, "the record"))
	}
	slices.Sort(changed)
	return slices.Compact(changed)
}
