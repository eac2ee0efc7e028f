package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A bench runs the binaries of two commits in a temporary folder, to which they write all
// their files.
type bench struct {
	dir     string
	env     []string
	commits [2]commit
}

// environment returns the environment of this process without the variables that choose
// a server, a model or settings.
func environment(dir string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "NEO4J_") || strings.HasPrefix(v, "NEORAG_") || strings.HasPrefix(v, "OPENAI_")
	})
	return append(env, "NEORAG_HOME="+filepath.Join(dir, "home"))
}

// build builds the binary of a commit with its Makefile, and reads its size and flags.
func (b *bench) build(ctx context.Context, c *commit) error {
	if out, err := exec.CommandContext(ctx, "make", "-s", "-C", c.root, "build", "BIN="+c.binary).CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", c.revision, err, out)
	}
	info, err := os.Stat(c.binary)
	if err != nil {
		return err
	}
	c.bytes = float64(info.Size())
	return b.flags(ctx, c, nil)
}

// exec runs the binary of a commit and returns its output and how long it took.
func (b *bench) exec(ctx context.Context, c *commit, args ...string) ([]byte, time.Duration, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.binary, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = b.dir, b.env, &out, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that it stops its server
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		err = fmt.Errorf("neorag %s of %s: %w: %s", strings.Join(args, " "), c.revision, err, errs.Bytes())
	}
	return out.Bytes(), took, err
}

var (
	flagLine    = regexp.MustCompile(`(?m)^\s+(?:-\w, )?--([a-z][\w-]*)`)
	flagOffered = regexp.MustCompile(`(?m)^--([a-z][\w-]*)`)
	commands    = regexp.MustCompile(`(?s)\nCOMMANDS:\n(.*?)\n\n?[A-Z ]+:\n`)
	commandLine = regexp.MustCompile(`(?m)^\s+([a-z][\w-]*)(?:, \w+)?\s{2,}\S`)
)

// flags counts the flags of a command and of its subcommands, except --help: the visible
// ones, which are in its help, and the hidden ones, which it only offers to a shell.
func (b *bench) flags(ctx context.Context, c *commit, command []string) error {
	help, _, err := b.exec(ctx, c, slices.Concat(command, []string{"--help"})...)
	if err != nil {
		return err
	}
	offered, _, err := b.exec(ctx, c, slices.Concat(command, []string{"-", "--generate-bash-completion"})...)
	if err != nil {
		return err
	}
	known := map[string]bool{"help": true}
	visible, hidden := captured(flagLine, help, known), captured(flagOffered, offered, known)
	c.flags[strings.Join(append([]string{"neorag"}, command...), " ")] = []float64{float64(len(visible)), float64(len(hidden))}
	section := commands.Find(help)
	if section == nil && command == nil {
		return fmt.Errorf("the help of %s lists no commands", c.revision)
	}
	for _, name := range captured(commandLine, section, map[string]bool{"help": true}) {
		if err := b.flags(ctx, c, append(slices.Clip(command), name)); err != nil {
			return err
		}
	}
	return nil
}

// captured returns the matches of the group of an expression in a text, except known
// ones, and adds them to known.
func captured(re *regexp.Regexp, text []byte, known map[string]bool) (found []string) {
	for _, m := range re.FindAllSubmatch(text, -1) {
		if name := string(m[1]); !known[name] {
			known[name] = true
			found = append(found, name)
		}
	}
	return found
}
