// Command retrieval prints how much of the known evidence each method retrieves: it
// indexes the corpora that the question sets belong to, without a model and without
// reports, with what the methods need, and runs `neorag eval retrieval`. It uses the Neo4j
// at NEORAG_TEST_URI, or else at NEO4J_URI.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/query"
	_ "github.com/neorag/neorag/internal/query/methods" // registers them
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A set is measured as one: all its questions count equally, each in the corpus of its
// folder.
type set struct {
	name    string
	folders []string
	lowest  map[string]figures // allowed without an embedding model, by method
}

type figures struct{ recall5, mrr float64 }

var sets = []set{
	{"lihuaworld", []string{"lihuaworld"}, map[string]figures{"basic": {.93, .86}, "fused": {.94, .88}}},
	{"wild", []string{"wild/mathematics", "wild/nature", "wild/history", "wild/technology"}, map[string]figures{"basic": {.66, .63}, "fused": {.73, .70}}},
}

// usual are the methods that need no model. The first is what others are compared
// with.
const usual = "basic,fused,local,light:low,light:high,light:hybrid,light:mix,linear,ppr,mini,kgr,lazy,qcg,d2q,d2q--"

func main() {
	data := flag.String("data", os.Getenv("NEORAG_DATA"), "`FOLDER` of the sets")
	methods := flag.String("methods", "", "`NAMES` of the methods (default: those that need no model)")
	asJSON := flag.Bool("json", false, "print JSON")
	keys := flag.Bool("keys", false, "compare what the vectors of relationships are made of, instead of methods")
	only := flag.String("only", "", "`NAME` of a set or a topic to measure; all without it")
	topics := flag.Bool("topics", false, "print what fused gains on each wild topic with weights that are best on the other topics, instead of comparing methods")
	var vectors embedding
	flag.StringVar(&vectors.url, "embedding-url", "", "`URL` of a server of embeddings that makes the vectors")
	flag.StringVar(&vectors.model, "embedding-model", "", "`NAME` of its model")
	flag.Parse()
	if *data == "" {
		*data = filepath.Join("..", "shared", "data")
	}
	if err := run(context.Background(), *data, *methods, *only, *asJSON, *keys, *topics, vectors); err != nil {
		fmt.Fprintln(os.Stderr, "retrieval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, methods, only string, asJSON, keys, topics bool, vectors embedding) error {
	methods = cmp.Or(methods, usual)
	home, err := os.MkdirTemp("", "neorag-retrieval")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	env := append(os.Environ(), "NEORAG_HOME="+home)
	if uri := os.Getenv(neo4jtest.URIEnv); uri != "" {
		env = append(env, "NEO4J_URI="+uri, "NEO4J_USERNAME="+os.Getenv(neo4jtest.UserEnv), "NEO4J_PASSWORD="+os.Getenv(neo4jtest.PasswordEnv))
	}
	if keys {
		return compareKeys(ctx, env, "retrieval_keys", filepath.Join(data, "lihuaworld"))
	}
	if topics {
		return sets[1].leaveOut(ctx, env, data, vectors)
	}
	measured := chosen(only)
	if len(measured) == 0 {
		return fmt.Errorf("no set or topic is called %q", only)
	}
	all := map[string]eval.Retrieval{}
	var low error
	for _, s := range measured {
		r, err := s.measure(ctx, env, data, methods, vectors)
		if err != nil {
			return fmt.Errorf("measure %s: %w", s.name, err)
		}
		all[s.name] = r
		if !asJSON {
			fmt.Printf("\n%s: %d questions\n\n%s\n%s", s.name, r.Questions, r.Table(), r.Comparison())
		}
		if vectors.url == "" {
			low = errors.Join(low, s.tooLow(r))
		}
	}
	if asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(all); err != nil {
			return err
		}
	}
	return low
}

// chosen returns the set of a name, or of one topic, for which no figures are too low; all
// sets for "".
func chosen(name string) []set {
	if name == "" {
		return sets
	}
	for _, s := range sets {
		if s.name == name {
			return []set{s}
		}
		for _, folder := range s.folders {
			if path.Base(folder) == name {
				return []set{{name: name, folders: []string{folder}}}
			}
		}
	}
	return nil
}

// tooLow is an error if a method has lower figures than are allowed.
func (s set) tooLow(r eval.Retrieval) (low error) {
	for _, l := range r.Methods {
		if lowest := s.lowest[l.Method]; l.Recall5 < lowest.recall5 || l.MRR < lowest.mrr {
			low = errors.Join(low, fmt.Errorf("%s with %s: recall@5 %.3f and MRR %.3f, want at least %.2f and %.2f", s.name, l.Method, l.Recall5, l.MRR, lowest.recall5, lowest.mrr))
		}
	}
	return low
}

// measure indexes the folders and evaluates the questions.
func (s set) measure(ctx context.Context, env []string, data, methods string, vectors embedding) (r eval.Retrieval, err error) {
	args := append([]string{"eval", "retrieval", "--json", "--methods", methods}, vectors.flags()...)
	for _, folder := range s.folders {
		args = append(args, corpusOf(folder)+"="+filepath.Join(data, filepath.FromSlash(folder), "questions.jsonl"))
	}
	err = s.indexed(ctx, env, data, methods, vectors, func() error {
		out, err := neorag(ctx, env, args...)
		if err != nil {
			return err
		}
		return json.Unmarshal(out, &r)
	})
	return r, err
}

// indexed indexes the folders with what the methods need, calls use, and removes the corpora.
func (s set) indexed(ctx context.Context, env []string, data, methods string, vectors embedding, use func() error) (err error) {
	for _, folder := range s.folders {
		defer func() {
			_, rerr := neorag(context.WithoutCancel(ctx), env, "remove", "--corpus", corpusOf(folder), "--yes")
			err = errors.Join(err, rerr)
		}()
		index := append([]string{"index", "--without", "reports", "--corpus", corpusOf(folder), filepath.Join(data, filepath.FromSlash(folder), "docs")}, vectors.flags()...)
		if with := artifacts(methods); with != "" {
			index = append(index, "--with", with)
		}
		if _, err := neorag(ctx, env, index...); err != nil {
			return err
		}
	}
	return use()
}

func corpusOf(folder string) string { return "retrieval_" + path.Base(folder) }

// artifacts returns what methods need that is not made by default, as a list for --with.
func artifacts(methods string) string {
	var names []string
	for _, m := range query.Methods() {
		for _, a := range m.Needs {
			if a != query.Reports && slices.Contains(strings.Split(methods, ","), m.Name) && !slices.Contains(names, string(a)) {
				names = append(names, string(a))
			}
		}
	}
	return strings.Join(names, ",")
}

// neorag runs the program and returns its output. Its progress goes to stderr.
func neorag(ctx context.Context, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join("bin", "neorag"), args...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("neorag %s: %w", args[0], err)
	}
	return out, nil
}
