//go:build unix

package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// A namedEdge is an edge between named nodes.
type namedEdge struct {
	source, target string
	weight         int
}

// namedGraph reads one of the standard test graphs.
func namedGraph(t *testing.T, name string) []namedEdge {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testcorpora.Dir(t), "graphs", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var edges []namedEdge
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		weight, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		edges = append(edges, namedEdge{f[0], f[1], weight})
	}
	return edges
}

// carolGraph returns the graph of the recorded extraction: the weight of a pair is
// the number of units that state it.
func carolGraph(t *testing.T) []namedEdge {
	t.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(t), "christmas-carol", "recorded-extraction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	weights := map[[2]string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var unit struct {
			Relationships []struct{ Source, Target string }
		}
		if err := json.Unmarshal(lines.Bytes(), &unit); err != nil {
			t.Fatal(err)
		}
		stated := map[[2]string]bool{}
		for _, r := range unit.Relationships {
			if r.Source != r.Target {
				stated[[2]string{min(r.Source, r.Target), max(r.Source, r.Target)}] = true
			}
		}
		for pair := range stated {
			weights[pair]++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	var edges []namedEdge
	for _, pair := range slices.SortedFunc(maps.Keys(weights), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		edges = append(edges, namedEdge{pair[0], pair[1], weights[pair]})
	}
	return edges
}

// writeEdges writes edges to a file and returns its path.
func writeEdges(t *testing.T, edges []namedEdge) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("source\ttarget\tweight\n")
	for _, e := range edges {
		fmt.Fprintf(&b, "%s\t%s\t%d\n", e.source, e.target, e.weight)
	}
	path := filepath.Join(t.TempDir(), "edges.tsv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// cypher runs a statement without the program.
func (p *program) cypher(text string, params map[string]any) []map[string]any {
	p.t.Helper()
	ctx := context.Background()
	driver, err := neo4j.NewDriverWithContext(p.conn.URI, neo4j.BasicAuth(p.conn.User, p.conn.Password, ""))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = driver.Close(ctx) }()
	result, err := neo4j.ExecuteQuery(ctx, driver, text, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		p.t.Fatal(err)
	}
	rows := make([]map[string]any, len(result.Records))
	for i, r := range result.Records {
		rows[i] = r.AsMap()
	}
	return rows
}

// load loads edges into Neo4j as another program might: nodes in random order,
// relationships in random directions, with a label of this test's corpus.
func (p *program) load(edges []namedEdge) (label string) {
	p.t.Helper()
	names := map[string]bool{}
	var rows []any
	random := rand.New(rand.NewPCG(7, 7))
	for _, e := range edges {
		names[e.source], names[e.target] = true, true
		source, target := e.source, e.target
		if random.IntN(2) == 0 {
			source, target = target, source
		}
		rows = append(rows, map[string]any{"a": source, "b": target, "w": e.weight})
	}
	nodes := slices.Sorted(maps.Keys(names))
	random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	label = "Some " + p.corpus
	p.cypher("UNWIND $names AS name CREATE (n:$($label) {name: name, corpus: $corpus})", map[string]any{"names": nodes, "label": label, "corpus": p.corpus})
	p.cypher("MATCH (n:$($label)) WITH collect(n) AS all UNWIND $rows AS row UNWIND [n IN all WHERE n.name = row.a] AS a UNWIND [n IN all WHERE n.name = row.b] AS b CREATE (a)-[:`KNOWS WELL` {w: row.w}]->(b)",
		map[string]any{"rows": rows, "label": label})
	return label
}

// TestClusterSources checks that the same graph has the same communities from a list
// of edges, from Neo4j by labels and types, and from a statement with element ids.
func TestClusterSources(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	for name, edges := range map[string][]namedEdge{"karate": namedGraph(t, "karate"), "lesmis": namedGraph(t, "lesmis"), "christmas carol": carolGraph(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, conn)
			label := p.load(edges)
			want := p.ok("cluster", "--csv", writeEdges(t, edges)).stdout
			if strings.Count(want, "\n") < 30 {
				t.Fatalf("the list of edges gives few rows:\n%s", want)
			}
			got := p.ok("cluster", "--nodes", label, "--rels", "KNOWS WELL", "--weight", "w", "--key", "name", "--csv").stdout
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("by labels and types (-list +Neo4j):\n%s", diff)
			}
			text := fmt.Sprintf("MATCH (a:`%s`)-[r]->(b:`%s`) RETURN elementId(a) AS source, elementId(b) AS target, r.w AS weight", label, label)
			got = p.ok("cluster", "--cypher", text, "--key", "name", "--csv").stdout
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("by a statement (-list +Neo4j):\n%s", diff)
			}
			text = strings.NewReplacer("elementId(a)", "a.name", "elementId(b)", "b.name").Replace(text)
			if got := p.ok("cluster", "--cypher", text, "--csv").stdout; got != want {
				t.Error("by a statement with names: the rows differ from those of the list")
			}
			text = strings.NewReplacer("a.name", "a", "b.name", "b").Replace(text)
			ids := map[string]string{}
			for _, row := range p.cypher("MATCH (n:$($label)) RETURN elementId(n) AS id, n.name AS name", map[string]any{"label": label}) {
				id, _ := row["id"].(string)
				ids[id], _ = row["name"].(string)
			}
			byNames := p.ok("cluster", "--cypher", text, "--csv", "--max", "1000000").stdout
			for line := range strings.Lines(byNames) {
				id, _, _ := strings.Cut(line, ",")
				if id != "node" && ids[id] == "" {
					t.Fatalf("%q is not the element id of a node", id)
				}
			}
		})
	}
}

// TestClusterKnownGraphs checks published optima, and figures of the recorded graph.
func TestClusterKnownGraphs(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	graphs := filepath.Join(testcorpora.Dir(t), "graphs")
	for name, want := range map[string]float64{
		"karate": 0.4198, "dolphins": 0.5285, "lesmis": 0.5667, "football": 0.6046, "jazz": 0.4451, "celegans_metabolic": 0.4484,
	} {
		var d cli.Clustering
		if err := json.Unmarshal([]byte(p.ok("cluster", "--json", filepath.Join(graphs, name+".txt")).stdout), &d); err != nil {
			t.Fatal(err)
		}
		if d.Modularity < want-0.005 || d.Disconnected != 0 || d.Isolated != 0 {
			t.Errorf("%s: got %+v, want a modularity near %v", name, d, want)
		}
	}
	var d cli.Clustering
	if err := json.Unmarshal([]byte(p.ok("cluster", writeEdges(t, carolGraph(t)), "--json").stdout), &d); err != nil {
		t.Fatal(err)
	}
	// On its largest component, with 535 nodes, graspologic finds 23, 65, 40 and 4
	// communities; this graph has 25 more nodes, in other components.
	if d.Nodes != 560 || d.Edges != 935 || d.Disconnected != 0 || len(d.Levels) < 3 || d.Levels[0].Communities < 23 || d.Levels[0].Communities > 45 {
		t.Errorf("christmas carol: got %+v", d)
	}
}

// nodes returns names, properties and labels of the nodes with a label.
func (p *program) nodes(label string) []map[string]any {
	p.t.Helper()
	return p.cypher("MATCH (n:$($label)) RETURN n.name AS name, properties(n) AS properties, labels(n) AS labels ORDER BY name", map[string]any{"label": label})
}

func TestClusterWriteAndUndo(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	label := p.load(namedGraph(t, "karate"))
	prefix := "g" + strings.TrimPrefix(p.corpus, "t_")
	graph := []string{"cluster", "--nodes", label, "--rels", "KNOWS WELL", "--key", "name", "--prefix", prefix, "--write"}
	before := p.nodes(label)
	write := func(more ...string) cli.Clustering {
		t.Helper()
		var d cli.Clustering
		if err := json.Unmarshal([]byte(p.ok(append(append([]string{}, graph...), append(more, "--json")...)...).stdout), &d); err != nil {
			t.Fatal(err)
		}
		if d.Written == nil {
			t.Fatalf("got %+v, want what was written", d)
		}
		return d
	}
	d := write()
	if d.Written.Writes < 34*5 {
		t.Errorf("got %d writes, want at least those of 34 nodes", d.Written.Writes)
	}
	rows := p.cypher("MATCH (n:$($label)) RETURN n.name AS node, n[$prefix + '_communities'] AS path, n[$prefix + '_community'] AS root, labels(n) AS labels ORDER BY toInteger(node)", map[string]any{"label": label, "prefix": prefix})
	csv := p.ok(append(slices.Clone(graph[:7]), "--csv")...).stdout
	for _, row := range rows {
		path, _ := row["path"].([]any)
		labels, _ := row["labels"].([]any)
		if root := fmt.Sprintf("%s_0_%v", prefix, path[0]); row["root"] != root || !slices.Contains(labels, any(root)) {
			t.Errorf("node %v: root %v, labels %v, want %s", row["node"], row["root"], labels, root)
		}
		for level, number := range path {
			if !slices.Contains(labels, any(fmt.Sprintf("%s_%d_%v", prefix, level, number))) {
				t.Errorf("node %v: labels %v, want one of level %d", row["node"], labels, level)
			}
			if line := fmt.Sprintf("\n%v,%d,%v,", row["node"], level, number); !strings.Contains(csv, line) {
				t.Errorf("--csv has no row that begins with %q", line)
			}
		}
	}
	if d := write(); d.Written.Writes != 0 {
		t.Errorf("a second run: %d writes, want none", d.Written.Writes)
	}
	if d, all := write("--label-max", "-1"), 34; d.Written.Writes < int64(all) {
		t.Errorf("without labels: %d writes, want at least those that remove them", d.Written.Writes)
	}
	if d := write("--max", "1000"); d.Written.Writes == 0 || len(d.Levels) != 1 {
		t.Errorf("another hierarchy: got %+v", d)
	}
	// A node without edges has no community.
	p.cypher("MATCH (n:$($label) {name: '11'})-[r]-() DELETE r", map[string]any{"label": label})
	write("--max", "1000")
	if rows := p.cypher("MATCH (n:$($label) {name: '11'}) WHERE n[$prefix + '_community'] IS NULL RETURN n", map[string]any{"label": label, "prefix": prefix}); len(rows) != 1 {
		t.Error("the node without an edge keeps its community")
	}
	p.ok("cluster", "--undo", "--prefix", prefix)
	if diff := cmp.Diff(before, p.nodes(label)); diff != "" {
		t.Errorf("after --undo (-before +after):\n%s", diff)
	}
	if o := p.ok("cluster", "--prefix", prefix, "--undo", "--json"); !strings.Contains(o.stdout, `"writes": 0`) {
		t.Errorf("a second --undo: %s", o.stdout)
	}
	if rows := p.cypher("MATCH (l:Lease {key: 'cluster_' + $prefix}) RETURN l", map[string]any{"prefix": prefix}); len(rows) != 0 {
		t.Errorf("a lease remains: %v", rows)
	}
}

// TestClusterLeavesOthersAlone checks that cluster changes nothing that it did not
// write, whatever its flags contain.
func TestClusterLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	label := p.load(namedGraph(t, "karate"))
	prefix := "h" + strings.TrimPrefix(p.corpus, "t_")
	p.cypher("MATCH (n:$($label) {name: '7'}) SET n[$prefix + '_community'] = 'mine'", map[string]any{"label": label, "prefix": prefix})
	before := p.nodes(label)
	message := checkFailure(t, p.run("cluster", "--nodes", label, "--write", "--prefix", prefix), 1)
	if !strings.Contains(message, "choose another prefix") {
		t.Errorf("the prefix is in use: %s", message)
	}
	for _, evil := range []string{
		"MATCH (n:`" + label + "`) DETACH DELETE n RETURN 1 AS source, 2 AS target",
		"MATCH (a:`" + label + "`)-[]->(b) SET a.evil = 1 RETURN a AS source, b AS target",
		"CREATE INDEX evil_" + p.corpus + " FOR (n:Evil) ON (n.evil)",
	} {
		if o := p.run("cluster", "--cypher", evil); o.code != 2 {
			t.Errorf("%s: exit %d, want it to be refused: %s", evil, o.code, o.stderr)
		}
	}
	for _, evil := range []string{label + "`) DETACH DELETE (n", label + `\u0060) DETACH DELETE (n`, "a\nb"} {
		checkFailure(t, p.run("cluster", "--nodes", evil, "--rels", "X"), 1)
		checkFailure(t, p.run("cluster", "--nodes", label, "--rels", evil), 1)
	}
	for _, evil := range []string{"A", "a`b", "a b", "1a", strings.Repeat("a", 33), `a\u0060`} {
		checkFailure(t, p.run("cluster", "--nodes", label, "--write", "--prefix", evil), 2)
		checkFailure(t, p.run("cluster", "--undo", "--prefix", evil), 2)
	}
	if diff := cmp.Diff(before, p.nodes(label)); diff != "" {
		t.Errorf("the graph changed (-before +after):\n%s", diff)
	}
}

// TestClusterInterrupted checks that Ctrl-C ends the program while it waits for more
// lines, while it reads, and while it clusters. Each input is a pipe that the test keeps
// open: what does not fit into the pipe has been read when it is written.
func TestClusterInterrupted(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	var many strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for range 400_000 {
		fmt.Fprintf(&many, "n%d n%d\n", random.IntN(40_000), random.IntN(40_000))
	}
	edges := []byte(many.String())
	for name, at := range map[string]struct {
		stdin bool
		then  func(*os.File) // once the edges have been read
	}{
		"waits for lines": {true, func(*os.File) {}},
		"reads": {false, func(w *os.File) {
			for {
				if _, err := w.Write(edges); err != nil {
					return // the test has closed it
				}
			}
		}},
		"clusters": {false, func(w *os.File) { _ = w.Close() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "edges.txt")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			// Opened in both directions it neither waits for the program nor fails without it.
			w, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.Close() }() // "clusters" has closed it
			p := *p
			p.t = t
			var r *process
			if at.stdin {
				stdin, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = stdin.Close() }()
				r = p.startWith(stdin, "cluster", "--effort", "stable", "-")
			} else {
				r = p.start("cluster", "--effort", "stable", path)
			}
			if err := w.SetWriteDeadline(time.Now().Add(2 * time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(edges); err != nil {
				t.Fatalf("the program does not read: %v", err)
			}
			var feeding sync.WaitGroup
			feeding.Go(func() { at.then(w) })
			r.signal(syscall.SIGINT)
			checkFailure(t, r.wait(), 130) // without a result on stdout
			_ = w.Close()
			feeding.Wait()
		})
	}
}
