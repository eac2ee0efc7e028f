package prompts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// IsReplaced reports whether a file in Dir replaces the text or the schema of a prompt.
func (s Set) IsReplaced(name string) bool {
	if s.Dir == "" {
		return false
	}
	for _, extension := range []string{promptExtension, schemaExtension} {
		if _, err := os.Stat(filepath.Join(s.Dir, name+extension)); err == nil {
			return true
		}
	}
	return false
}

// Placeholders returns the placeholders that a prompt may use, besides {{fence}}, and which of
// them it must use.
func Placeholders(name string) (known, needed []string) {
	for _, p := range placeholders[name] {
		if slices.Contains(required, p) {
			needed = append(needed, p)
		}
	}
	return slices.Clone(placeholders[name]), needed
}

// Text returns the text of a prompt as in its file, and its schema, "" for none.
func (s Set) Text(name string) (text, schema string, err error) {
	if _, err := s.Get(name); err != nil && errors.Is(err, ErrUnknown) {
		return "", "", err
	}
	if text, err = s.read(name + promptExtension); err != nil {
		return "", "", fmt.Errorf("read prompt %s: %w", name, err)
	}
	if schema, err = s.read(name + schemaExtension); errors.Is(err, fs.ErrNotExist) {
		return text, "", nil
	}
	return text, schema, err
}

// Problems returns what is wrong with the folder and with each prompt. Empty means that all
// prompts work.
func (s Set) Problems() []error {
	var all []error
	if err := s.CheckFolder(); err != nil {
		all = append(all, err)
		if _, gone := os.Stat(s.Dir); gone != nil {
			return all
		}
	}
	for _, name := range Names() {
		if _, err := s.Get(name); err != nil {
			all = append(all, err)
		}
	}
	return all
}

// shownFiles is how many existing files an error names.
const shownFiles = 5

// ErrExists means that a file would be overwritten.
var ErrExists = errors.New("file exists")

// Export writes the files of all prompts in effect into a folder, which it creates, and returns
// their names. Without overwrite it writes nothing if one of them exists.
func (s Set) Export(dir string, overwrite bool) ([]string, error) {
	contents := map[string]string{}
	for _, name := range Names() {
		text, schema, err := s.Text(name)
		if err != nil {
			return nil, err
		}
		contents[name+promptExtension] = text
		if schema != "" {
			contents[name+schemaExtension] = schema
		}
	}
	return WriteFiles(dir, contents, overwrite)
}

// WriteFiles writes files into a folder, which it creates, and returns their names in order.
// Without overwrite it writes nothing if one of them exists, and leaves none if it fails.
func WriteFiles(dir string, contents map[string]string, overwrite bool) ([]string, error) {
	var names, existing []string
	for name := range contents {
		names = append(names, name)
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			existing = append(existing, name)
		}
	}
	slices.Sort(names)
	slices.Sort(existing)
	if len(existing) > 0 && !overwrite {
		more := ""
		if n := len(existing) - shownFiles; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		return nil, fmt.Errorf("write to %s: %w: %s%s", dir, ErrExists, strings.Join(existing[:min(len(existing), shownFiles)], ", "), more)
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("create the folder of prompts: %w", err)
	}
	for i, name := range names {
		err := writeFile(filepath.Join(dir, name), contents[name], overwrite)
		if err == nil {
			continue
		}
		for _, written := range names[:i] {
			if !overwrite {
				_ = os.Remove(filepath.Join(dir, written)) // the failed write is reported
			}
		}
		return nil, err
	}
	return names, nil
}

// writeFile writes a new file, or replaces one.
func writeFile(path, content string, overwrite bool) error {
	write := userfile.WriteNew
	if overwrite {
		write = userfile.Write
	}
	if err := write(path, 0o600, []byte(content)); err != nil {
		return fmt.Errorf("write prompt: %w", err)
	}
	return nil
}
