// Command figures prints the figures of the code of two commits side by side:
// sizes of packages, exported names, the types with most methods, the flags of
// the command line, and the size and start of the binary.
//
//	go run ./internal/bench/figures -base main~10
//
// With -run it also starts a local Neo4j, measures indexing and queries of both
// binaries by turns, and compares the bytes that they export.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	base := flag.String("base", "", "`REVISION` to compare with")
	head := flag.String("head", "", "`REVISION` that is compared (default: the working tree as it is)")
	server := flag.Bool("run", false, "measure indexing and queries on a local Neo4j, and compare exports")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	tables, err := compare(ctx, *base, *head, *server)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	if *asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		_ = encoder.Encode(tables) // a failed write to standard output ends the command anyway
		return
	}
	for _, t := range tables {
		_, _ = fmt.Fprintln(os.Stdout, t.markdown())
	}
}

// A commit is one of the two that are compared.
type commit struct {
	root, revision string
	binary         string // file that is built from it
	bytes          int    // of the binary
	tree           tree
	flags          map[string][]int // visible and hidden flags by command, such as "neorag query"
}

// compare makes a worktree of each commit in a temporary folder, reads, builds and
// measures both, and removes the worktrees and the folder.
func compare(ctx context.Context, base, head string, server bool) (tables []table, err error) {
	if base == "" {
		return nil, errors.New("no commit to compare with: run make figures BASE=REVISION")
	}
	dir, err := os.MkdirTemp("", "neorag-figures-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := bench{dir: dir, env: environment(dir)}
	for i, revision := range []string{base, head} {
		c := &b.commits[i]
		*c = commit{root: ".", binary: filepath.Join(dir, sides[i], "bin", "neorag")}
		if revision != "" {
			c.root = filepath.Join(dir, sides[i], "tree")
			if _, err := git(ctx, ".", "worktree", "add", "--quiet", "--detach", c.root, revision); err != nil {
				return nil, err
			}
			defer func() {
				_, remove := git(context.WithoutCancel(ctx), ".", "worktree", "remove", "--force", c.root)
				err = errors.Join(err, remove)
			}()
		}
		if c.revision, err = git(ctx, c.root, "log", "-1", "--format=%h %s"); err != nil {
			return nil, err
		}
		if c.tree, err = readTree(ctx, c.root); err != nil {
			return nil, err
		}
		if err := b.build(ctx, c); err != nil {
			return nil, err
		}
	}
	return b.tables(ctx, server)
}

// git runs git in a folder and returns what it printed, without the last newline.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// diff returns "equal" for two files or folders of the same bytes, and else the
// start of what git prints about the differences.
func diff(ctx context.Context, base, head string) string {
	out, err := exec.CommandContext(ctx, "git", "diff", "--no-index", "--no-ext-diff", "--no-color", "--stat", "--patch", "--unified=0", base, head).CombinedOutput()
	if err == nil {
		return "equal"
	}
	return "different:\n\n```\n" + string(out[:min(len(out), 4000)]) + "\n```"
}
