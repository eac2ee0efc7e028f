// Command answers asks the questions of suites without a model, and prints how many are answered
// right, partly, wrong or not at all, by kind and language. It runs bin/neorag against the Neo4j at
// NEORAG_TEST_URI.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func main() {
	data := flag.String("data", os.Getenv("NEORAG_DATA"), "`FOLDER` of the test corpora")
	program := flag.String("program", filepath.Join("bin", "neorag"), "`FILE` of the program to ask")
	only := flag.String("only", "", "ask only the suites whose names contain `TEXT`")
	keep := flag.Bool("keep", false, "keep the corpora, and do not index those again that are there")
	show := flag.Bool("show", false, "print each question with its answer that is not right")
	flag.Parse()
	if *data == "" {
		*data = filepath.Join("..", "shared", "data")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, options{data: *data, program: *program, only: *only, keep: *keep, show: *show, folders: flag.Args()})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

// options are what a run measures.
type options struct {
	data, program, only string
	keep, show          bool
	folders             []string // of further suites, each with docs and questions.jsonl
}

func run(ctx context.Context, w io.Writer, o options) error {
	suites, err := readSuites(o)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "neorag-answers")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	p := program{path: o.program, env: append(os.Environ(), "NEORAG_HOME="+home, "NEO4J_URI="+os.Getenv(neo4jtest.URIEnv),
		"NEO4J_USERNAME="+os.Getenv(neo4jtest.UserEnv), "NEO4J_PASSWORD="+os.Getenv(neo4jtest.PasswordEnv))}
	var all []result
	for _, s := range suites {
		results, err := p.measure(ctx, s, o.keep)
		if err != nil {
			return fmt.Errorf("suite %s: %w", s.name, err)
		}
		all = append(all, results...)
		if o.show {
			showWrong(w, results)
		}
	}
	printTable(w, "suite", all, func(r result) string { return r.suite })
	printTable(w, "kind", all, func(r result) string { return r.Kind })
	printTable(w, "language", all, func(r result) string { return r.Lang })
	if !strings.Contains(chats, o.only) {
		return nil
	}
	return p.measureChats(ctx, w, filepath.Join(o.data, chats), o.keep)
}

// chats is the folder of the chat logs whose questions have known answers.
const chats = "lihuaworld"

// measureChats prints the figures of eval qa on the chat logs.
func (p program) measureChats(ctx context.Context, w io.Writer, folder string, keep bool) error {
	s := suite{name: chats, folder: filepath.Join(folder, "docs")}
	return p.indexed(ctx, s, keep, func(corpus string) error {
		out, err := p.neorag(ctx, "eval", "qa", "--offline", "--quiet", "--methods", "auto", corpus+"="+filepath.Join(folder, "questions.jsonl"))
		if err != nil {
			return err
		}
		tables := strings.Split(strings.TrimSpace(string(out)), "\n\n")
		_, err = fmt.Fprintf(w, "\n%s\n", tables[len(tables)-1])
		return err
	})
}

// A program is neorag with its environment.
type program struct {
	path string
	env  []string
}

// measure asks the questions of a suite.
func (p program) measure(ctx context.Context, s suite, keep bool) (results []result, err error) {
	err = p.indexed(ctx, s, keep, func(corpus string) error {
		for _, q := range s.questions {
			out, err := p.neorag(ctx, "query", "--offline", "--json", "--quiet", "--corpus", corpus, q.Text)
			if err != nil {
				return fmt.Errorf("question %s: %w", q.ID, err)
			}
			var a answer
			if err := json.Unmarshal(out, &a); err != nil {
				return fmt.Errorf("question %s: %w", q.ID, err)
			}
			results = append(results, result{question: q, suite: s.name, answer: a, verdict: judge(q, a)})
		}
		return nil
	})
	return results, err
}

// indexed indexes the documents of a suite, calls use, and removes the corpus unless it is kept.
func (p program) indexed(ctx context.Context, s suite, keep bool, use func(corpus string) error) (err error) {
	corpus := s.corpus()
	defer func() {
		if keep {
			return
		}
		_, rerr := p.neorag(context.WithoutCancel(ctx), "remove", "--corpus", corpus, "--yes")
		err = errors.Join(err, rerr)
	}()
	if _, err := p.neorag(ctx, "index", "--offline", "--quiet", "--corpus", corpus, s.folder); err != nil {
		return err
	}
	return use(corpus)
}

// neorag runs the program and returns its output. Its messages go to stderr.
func (p program) neorag(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Env, cmd.Stderr = p.env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("neorag %s: %w", args[0], err)
	}
	return out, nil
}

// showWrong prints the questions that are not answered right, with their answers.
func showWrong(w io.Writer, results []result) {
	for _, r := range results {
		if r.verdict != right && r.verdict != declined {
			_, _ = fmt.Fprintf(w, "%s %s %s: %s\n  known: %s\n  given: %s\n", r.suite, r.ID, r.verdict, r.Text, r.Answer,
				strings.ReplaceAll(strings.TrimSpace(r.answer.Text), "\n", "\n         "))
		}
	}
}

// printTable prints the verdicts by a property of the questions.
func printTable(w io.Writer, head string, results []result, by func(result) string) {
	counts := map[string]map[verdict]int{}
	names := []string{}
	for _, r := range results {
		for _, name := range []string{by(r), "all"} {
			if counts[name] == nil {
				counts[name] = map[verdict]int{}
				names = append(names, name)
			}
			counts[name][r.verdict]++
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "all") != (b == "all") {
			return map[bool]int{true: 1, false: -1}[a == "all"]
		}
		return strings.Compare(a, b)
	})
	_, _ = fmt.Fprintf(w, "\n| %s | questions | right | partly | wrong | declined wrongly | unanswerable | declined |\n|---|---:|---:|---:|---:|---:|---:|---:|\n", head)
	for _, name := range names {
		c := counts[name]
		answerable, unanswerable := c[right]+c[partly]+c[wrong]+c[declinedWrongly], c[declined]+c[answeredWrongly]
		_, _ = fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %d | %s |\n", name, answerable, share(c[right], answerable), share(c[partly], answerable),
			share(c[wrong], answerable), share(c[declinedWrongly], answerable), unanswerable, share(c[declined], unanswerable))
	}
}

// share formats a number of questions as a share of all, "-" without any.
func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.2f", float64(n)/float64(of)), "0")
}
