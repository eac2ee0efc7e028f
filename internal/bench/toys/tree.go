package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// copied are the new files of the additions, by their places in the tree.
//
//go:embed testdata
var copied embed.FS

// An insertion is text that an addition inserts into a file, after a text that occurs there once.
type insertion struct{ file, after, text string }

// into returns the text of the file with the insertion.
func (i insertion) into(body string) (string, error) {
	if n := strings.Count(body, i.after); n != 1 {
		return "", fmt.Errorf("%s: the anchor %q occurs %d times, not once", i.file, i.after, n)
	}
	return strings.Replace(body, i.after, i.after+i.text, 1), nil
}

// A tree is the folder of a clone.
type tree string

// apply copies the new files of an addition, makes its insertions and formats what it touched.
func (t tree) apply(ctx context.Context, a addition) error {
	var code []string
	format := func(file string) {
		if path.Ext(file) == ".go" {
			code = append(code, file)
		}
	}
	root := path.Join("testdata", a.name)
	err := fs.WalkDir(copied, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := copied.ReadFile(name)
		if err != nil {
			return err
		}
		file := strings.TrimPrefix(name, root+"/")
		format(file)
		to := filepath.Join(string(t), file)
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			return err
		}
		return os.WriteFile(to, body, 0o600)
	})
	if err != nil {
		return err
	}
	for _, i := range a.insertions {
		format(i.file)
		file := filepath.Join(string(t), i.file)
		body, err := os.ReadFile(file) //nolint:gosec // a file of the clone
		if err != nil {
			return err
		}
		changed, err := i.into(string(body))
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil { //nolint:gosec // a file of the clone
			return err
		}
	}
	slices.Sort(code)
	return t.run(ctx, append([]string{"gofmt", "-w"}, slices.Compact(code)...)...)
}

// run runs a command in the tree.
func (t tree) run(ctx context.Context, command ...string) error {
	_, err := t.output(ctx, command...)
	return err
}

func (t tree) output(ctx context.Context, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = string(t)
	// Without paths in what is compiled, most of it is in Go's cache.
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return string(out), nil
}

// A change is what an addition changed in a file.
type change struct {
	file      string
	added     int // lines
	generated bool
}

// changes returns the changes of the tree.
func (t tree) changes(ctx context.Context) ([]change, error) {
	if err := t.run(ctx, "git", "add", "--all"); err != nil {
		return nil, err
	}
	out, err := t.output(ctx, "git", "diff", "--cached", "--numstat", "--no-renames")
	if err != nil {
		return nil, err
	}
	var all []change
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		added, err := strconv.Atoi(fields[0])
		if err != nil {
			return nil, fmt.Errorf("read %q of git: %w", line, err)
		}
		all = append(all, change{fields[2], added, isGenerated(fields[2])})
	}
	return all, nil
}

// isGenerated reports whether a command writes the file.
func isGenerated(file string) bool {
	switch file {
	case "docs/settings.md", "docs/methods.md", "docs/explore.md":
		return true
	}
	return strings.HasPrefix(file, "docs/json/") || strings.HasSuffix(file, ".gen.go")
}

// A total is the number of files, and of lines added to them.
type total struct{ files, lines int }

// sum adds the changes of generated files, or of the others.
func sum(changed []change, generated bool) (t total) {
	for _, c := range changed {
		if c.generated == generated {
			t.files++
			t.lines += c.added
		}
	}
	return t
}
