package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/leiden/edgelist"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newClusterCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "cluster",
		Usage:     "find a hierarchy of communities in any graph: a list of edges, or a graph in Neo4j",
		ArgsUsage: "[FILE] (- is standard input)",
		Description: "A FILE has one line per edge: two names and optionally a weight, separated by spaces (.txt), tabs (.tsv) or commas (.csv, optionally with a header). It may be gzipped.\n" +
			"Without a FILE the graph is read from Neo4j: by --nodes and --rels, or by your own statement with --cypher.\n" +
			"The order of the edges does not matter.\n" +
			"Prints how many communities each level has. --csv prints the communities of each node; --write stores them in Neo4j.",
		Flags:  slices.Concat(graphFlags(), clusterFlags(), serverFlags()),
		Action: action(env, clusterOptionsFrom, runCluster),
	}
}

// graphFlags select the graph.
func graphFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "format", Usage: "read the FILE as `FORMAT`: txt, tsv or csv", DefaultText: "by its name, else by its first line"},
		listFlag{&ucli.StringSliceFlag{Name: "nodes", Usage: "use the nodes in Neo4j that have the label `LABEL`, or any of several labels"}},
		listFlag{&ucli.StringSliceFlag{Name: "rels", Usage: "use the relationships in Neo4j of the type `TYPE`, or of any of several types"}},
		&ucli.StringFlag{Name: "weight", Usage: "weigh relationships by their property `PROPERTY`", DefaultText: "each weighs 1"},
		&ucli.StringFlag{Name: "key", Usage: "name nodes by their property `PROPERTY`", DefaultText: "their element ids"},
		&ucli.StringFlag{Name: "cypher", Usage: "use the edges that `STATEMENT` returns: source, target and optionally weight; source and target are nodes, element ids or names"},
		&ucli.BoolFlag{Name: "skip-bad", Usage: "skip and count lines that are not edges instead of failing"},
	}
}

// clusterFlags configure the clustering and its output.
func clusterFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.IntFlag{Name: "max", Value: leiden.DefaultMaxSize, Usage: "try to split communities of `N` or more nodes"},
		&ucli.BoolFlag{Name: "strict", Usage: "keep splitting until no community has more than --max nodes"},
		ownFlag("clusters.resolution", ""),
		&ucli.StringFlag{Name: "effort", Usage: "search with `EFFORT`: fast, balanced, best, or stable, which stops only when moving any node gains nothing", DefaultText: "best below 200,000 edges, else balanced"},
		ownFlag("clusters.seed", ""),
		&ucli.IntFlag{Name: "workers", DefaultText: "one per processor", Usage: "use `N` concurrent workers; the result does not depend on N"},
		&ucli.BoolFlag{Name: "csv", Usage: "print CSV: node,level,community,parent,final, with a row for each node and level; final is true in the last row of a node"},
		rawFlag(),
		&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the CSV of --csv to `FILE`", DefaultText: "standard output"},
		&ucli.BoolFlag{Name: "write", Usage: "write the communities to the nodes in Neo4j, under --prefix"},
		&ucli.BoolFlag{Name: "undo", Usage: "remove from Neo4j what --write wrote under --prefix"},
		&ucli.StringFlag{Name: "prefix", Usage: "begin the properties and labels of --write with `NAME`; required by --write and --undo"},
		ownFlag("labels.max", "with --write, create at most `N` labels of communities, for whole levels from the root down; -1 for none"),
	}
}

type clusterOptions struct {
	file    string // "-" is standard input; "" means a graph in Neo4j
	format  edgelist.Format
	skipBad bool
	graph   usergraph.Source
	leiden  leiden.Options

	csv     bool
	raw     bool
	output  string // "" means standard output
	write   bool
	undo    bool
	marking index.Marking
}

func clusterOptionsFrom(cc invocation) (clusterOptions, error) {
	o := clusterOptions{
		file: cc.Args().First(), skipBad: cc.Bool("skip-bad"), csv: cc.Bool("csv"), raw: cc.Bool("raw"), output: cc.String("output"), write: cc.Bool("write"), undo: cc.Bool("undo"),
		graph: usergraph.Source{
			Labels: cc.StringSlice("nodes"), Types: cc.StringSlice("rels"), Weight: cc.String("weight"), Key: cc.String("key"),
			Cypher: cc.String("cypher"), Elements: cc.Bool("write"), SkipBad: cc.Bool("skip-bad"),
		},
		leiden:  leidenOptionsFrom(cc.settings),
		marking: index.Marking{Prefix: cc.String("prefix"), MaxLabel: cc.settings.Int("labels.max")},
	}
	o.leiden.MaxSize, o.leiden.Workers, o.leiden.Strict = cc.Int("max"), cc.Int("workers"), cc.Bool("strict")
	switch {
	case cc.NArg() > 1:
		return o, usage("cluster: give one FILE, not %d", cc.NArg())
	case o.csv && cc.Bool("json"):
		return o, usage("cluster: choose --csv or --json")
	}
	if err := o.check(); err != nil {
		return o, err
	}
	var err error
	if o.format, err = edgelist.ParseFormat(cc.String("format")); err != nil {
		return o, usage("cluster: %w", err)
	}
	if o.leiden.Effort, err = leiden.ParseEffort(cc.String("effort")); err != nil {
		return o, usage("cluster: --%v", err)
	}
	return o, nil
}

// check rejects combinations of flags that make no sense.
func (o clusterOptions) check() error {
	pattern := len(o.graph.Labels)+len(o.graph.Types) > 0
	switch file := o.file != ""; {
	case o.undo && (file || pattern || o.graph.Cypher != "" || o.write):
		return usage("cluster: --undo takes --prefix and no graph")
	case (o.write || o.undo) && o.marking.Prefix == "":
		return usage("cluster: --write and --undo need a --prefix")
	case o.undo:
		return nil
	case !file && !pattern && o.graph.Cypher == "":
		return usage("cluster: give a FILE of edges, - for standard input, or a graph in Neo4j by --nodes and --rels, or by --cypher")
	case file && (pattern || o.graph.Cypher != "" || o.graph.Weight != "" || o.graph.Key != ""):
		return usage("cluster: --nodes, --rels, --weight, --key and --cypher are for a graph in Neo4j, without a FILE")
	case o.graph.Cypher != "" && (pattern || o.graph.Weight != ""):
		return usage("cluster: --cypher replaces --nodes, --rels and --weight")
	case o.write && file:
		return usage("cluster: --write is for a graph in Neo4j; for a FILE use --csv")
	case (o.output != "" || o.raw) && !o.csv:
		return usage("cluster: --output and --raw are for --csv")
	case o.marking.Prefix != "" && !o.write:
		return usage("cluster: --prefix is for --write and --undo")
	case o.leiden.MaxSize < 1:
		return usage("cluster: --max %d: must be at least 1", o.leiden.MaxSize)
	}
	return nil
}

func runCluster(ctx context.Context, env *environment, o clusterOptions) error {
	switch {
	case o.undo:
		return undoCluster(ctx, env, o)
	case o.file != "":
		return clusterGraph(ctx, env, nil, o, func() (index.UserGraph, error) {
			list, err := readEdges(ctx, env, o)
			return index.UserGraph{List: list}, err
		})
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		return clusterGraph(ctx, env, store, o, func() (index.UserGraph, error) { return index.ReadUserGraph(ctx, store, o.graph) })
	})
}

// readEdges reads the file of edges.
func readEdges(ctx context.Context, env *environment, o clusterOptions) (edgelist.List, error) {
	options := edgelist.Options{Name: o.file, Format: cmp.Or(o.format, edgelist.FormatOf(o.file)), SkipBad: o.skipBad}
	var from io.Reader
	if o.file == "-" {
		options.Name, from = "standard input", terminal.NewContextReader(ctx, env.Stdin)
	} else {
		f, err := os.Open(o.file)
		if err != nil {
			return edgelist.List{}, fmt.Errorf("read edges: %w", err)
		}
		defer func() { _ = f.Close() }() // it was only read
		from = f
	}
	return edgelist.Read(ctx, from, options)
}

// clusterGraph reads a graph, finds its communities and prints or writes them. The
// store is nil for a file.
func clusterGraph(ctx context.Context, env *environment, store *neo4jstore.Store, o clusterOptions, read func() (index.UserGraph, error)) error {
	begin := time.Now()
	g, err := read()
	if err != nil {
		return err
	}
	seconds := ClusterSeconds{Read: time.Since(begin).Seconds()}
	begin = time.Now()
	h, err := leiden.BuildHierarchy(ctx, g.Graph, o.leiden)
	if err != nil {
		return err
	}
	seconds.Cluster = time.Since(begin).Seconds()
	tree := community.NewTree(h, g.Graph.Nodes())
	result, err := clusteringOf(ctx, g, tree)
	if err != nil {
		return err
	}
	result.Seconds = seconds
	if o.write {
		result.Written = &ClusterWritten{Prefix: o.marking.Prefix}
		if result.Written.Writes, err = index.MarkUserGraph(ctx, store, o.marking, g, tree); err != nil {
			return err
		}
	}
	noteSkipped(env, g)
	switch {
	case env.json:
		return env.printJSON(result)
	case o.csv:
		return writeTo(env, o.output, func(out io.Writer) error { return writeClusterCSV(ctx, out, g.Names, tree, o.raw) })
	}
	printClustering(env, result)
	return nil
}

func undoCluster(ctx context.Context, env *environment, o clusterOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		writes, err := index.UnmarkUserGraph(ctx, store, o.marking)
		if err != nil {
			return err
		}
		return env.print(ClusterWritten{Prefix: o.marking.Prefix, Writes: writes}, func() {
			env.printf("Removed everything under %s: %d writes.\n", o.marking.Prefix, writes)
		})
	})
}
