// Command figures prints the figures of the code of two commits side by side: sizes of
// packages, exported names, the types with most methods, the flags of the command line,
// and the size and start of the binary.
//
//	go run ./internal/bench/figures -base main~10
//
// With -run it also starts a local Neo4j, measures indexing and queries of both binaries
// in turn, and compares the bytes that they export.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	base := flag.String("base", "", "`REVISION` to compare with")
	head := flag.String("head", "", "`REVISION` to compare (default: the working tree)")
	server := flag.Bool("run", false, "measure indexing and queries on a local Neo4j, and compare exports")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := compare(ctx, os.Stdout, *base, *head, *server)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// sides are the names of the two commits.
var sides = [2]string{"base", "head"}

// A commit is one of the two that are compared.
type commit struct {
	root, revision string
	binary         string  // file that is built from it
	bytes          float64 // of the binary
	tree
	flags map[string][]float64 // visible and hidden flags by command, such as "neorag query"
}

// compare makes a worktree of each commit in a temporary folder, reads, builds and
// measures both, prints the figures, and removes the worktrees and the folder.
func compare(ctx context.Context, w io.Writer, base, head string, server bool) (err error) {
	if base == "" {
		return errors.New("no commit to compare with: run make figures BASE=REVISION")
	}
	dir, err := os.MkdirTemp("", "neorag-figures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := bench{dir: dir, env: environment(dir)}
	for i, revision := range []string{base, head} {
		c := &b.commits[i]
		*c = commit{root: ".", binary: filepath.Join(dir, sides[i], "bin", "neorag"), flags: map[string][]float64{}}
		if revision != "" {
			c.root = filepath.Join(dir, sides[i], "tree")
			if _, err := git(ctx, ".", "worktree", "add", "--quiet", "--detach", c.root, revision); err != nil {
				return err
			}
			defer func() {
				_, remove := git(context.WithoutCancel(ctx), ".", "worktree", "remove", "--force", c.root)
				err = errors.Join(err, remove)
			}()
		}
		if c.revision, err = git(ctx, c.root, "log", "-1", "--format=%h %s"); err != nil {
			return err
		}
		if c.tree, err = readTree(c.root); err != nil {
			return err
		}
		if err := b.build(ctx, c); err != nil {
			return err
		}
	}
	return b.print(ctx, w, server)
}

// git runs git in a folder and returns its output, without the last newline.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// diff returns "equal" for two files or folders with the same bytes, and else the start
// of the differences that git prints.
func diff(ctx context.Context, base, head string) string {
	out, err := exec.CommandContext(ctx, "git", "diff", "--no-index", "--no-ext-diff", "--no-color", "--stat", "--patch", "--unified=0", base, head).CombinedOutput()
	if err == nil {
		return "equal"
	}
	return "different:\n\n```\n" + string(out[:min(len(out), 4000)]) + "\n```"
}
