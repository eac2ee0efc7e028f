package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/edgelist"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) cluster() *ucli.Command {
	return &ucli.Command{
		Name:      "cluster",
		Usage:     "find communities within communities in any graph: a list of edges, or what is in Neo4j",
		ArgsUsage: "[FILE] (- is standard input)",
		Description: "A FILE has a line for each edge: two names and perhaps a weight, apart by blanks (.txt), tabs (.tsv) or commas (.csv, perhaps with titles), perhaps gzipped.\n" +
			"Without a FILE the graph is read from Neo4j: by --nodes and --rels, or by a statement of your own with --cypher.\n" +
			"The same edges give the same communities, in whatever order they come.",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "format", Usage: "of the FILE: `txt`, tsv or csv (default: by its name, else by its first line)"},
			&ucli.StringSliceFlag{Name: "nodes", Usage: "`LABEL` of the nodes in Neo4j; several: any of them"},
			&ucli.StringSliceFlag{Name: "rels", Usage: "`TYPE` of the relationships in Neo4j; several: any of them"},
			&ucli.StringFlag{Name: "weight", Usage: "`PROPERTY` of relationships that is their weight (default: each weighs 1)"},
			&ucli.StringFlag{Name: "key", Usage: "`PROPERTY` that names nodes (default: their element ids)"},
			&ucli.StringFlag{Name: "cypher", Usage: "`STATEMENT` that returns source, target and perhaps weight; ends are nodes, element ids or names"},
			dataFlag(),
			&ucli.IntFlag{Name: "max", Value: leiden.DefaultMaxSize, Usage: "communities of `N` and more nodes are split"},
			&ucli.Float64Flag{Name: "resolution", Value: 1, Usage: "higher gives smaller communities"},
			&ucli.Uint64Flag{Name: "seed", Usage: "of clustering"},
			&ucli.IntFlag{Name: "workers", DefaultText: "one for each processor", Usage: "`N` goroutines; the result is the same with any number"},
			&ucli.StringFlag{Name: "effort", Usage: "how long to look: `fast`, balanced, best or stable (default: best below 200,000 edges, else balanced)"},
			&ucli.BoolFlag{Name: "strict", Usage: "split until no community has more than --max nodes"},
			&ucli.BoolFlag{Name: "skip-bad", Usage: "leave out and count what is no edge, instead of stopping there"},
			&ucli.BoolFlag{Name: "csv", Usage: "print node,level,community,parent,final: a row for each node and level"},
			&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` for --csv (default: standard output)"},
			&ucli.BoolFlag{Name: "write", Usage: "write the communities to the nodes in Neo4j, under --prefix"},
			&ucli.BoolFlag{Name: "undo", Usage: "take away from Neo4j what --write wrote under --prefix"},
			&ucli.StringFlag{Name: "prefix", Usage: "`NAME` that begins the properties and labels of --write"},
			&ucli.IntFlag{Name: "label-max", Value: 1000, Usage: "community labels in all with --write, whole levels from the root; -1 none"},
		},
		Action: c.runCluster,
	}
}

func (c *command) runCluster(cc *ucli.Context) error {
	if err := checkCluster(cc); err != nil {
		return err
	}
	if cc.Bool("undo") {
		return c.undoCluster(cc)
	}
	if cc.NArg() == 0 {
		return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
			return c.clusterGraph(cc, store, func(ctx context.Context) (index.UserGraph, error) {
				return index.ReadUserGraph(ctx, store, graphSource(cc))
			})
		})
	}
	return c.clusterGraph(cc, nil, func(ctx context.Context) (index.UserGraph, error) {
		list, err := c.edgeList(ctx, cc)
		return index.UserGraph{List: list}, err
	})
}

// checkCluster refuses flags that do not go together.
func checkCluster(cc *ucli.Context) error {
	pattern := cc.IsSet("nodes") || cc.IsSet("rels")
	switch file := cc.NArg() > 0; {
	case cc.NArg() > 1:
		return usage("cluster: give one FILE, not %d", cc.NArg())
	case cc.Bool("undo") && (file || pattern || cc.IsSet("cypher") || cc.Bool("write")):
		return usage("cluster: --undo needs --prefix and no graph")
	case (cc.Bool("write") || cc.Bool("undo")) && cc.String("prefix") == "":
		return usage("cluster: name what is written or taken away with --prefix")
	case cc.Bool("undo"):
		return nil
	case !file && !pattern && cc.String("cypher") == "":
		return usage("cluster: give a FILE of edges, - for standard input, or a graph in Neo4j by --nodes and --rels, or by --cypher")
	case file && (pattern || cc.IsSet("cypher") || cc.IsSet("weight") || cc.IsSet("key")):
		return usage("cluster: --nodes, --rels, --weight, --key and --cypher are for a graph in Neo4j, without a FILE")
	case cc.IsSet("cypher") && (pattern || cc.IsSet("weight")):
		return usage("cluster: --cypher takes the place of --nodes, --rels and --weight")
	case cc.Bool("write") && file:
		return usage("cluster: --write is for a graph in Neo4j; for a FILE use --csv")
	case cc.Bool("csv") && cc.Bool("json"):
		return usage("cluster: choose --csv or --json")
	case cc.IsSet("output") && !cc.Bool("csv"):
		return usage("cluster: --output is for --csv")
	case cc.IsSet("prefix") && !cc.Bool("write"):
		return usage("cluster: --prefix is for --write and --undo")
	case cc.Int("max") < 1:
		return usage("cluster: --max %d: must be at least 1", cc.Int("max"))
	}
	return nil
}

func graphSource(cc *ucli.Context) usergraph.Source {
	return usergraph.Source{
		Labels: cc.StringSlice("nodes"), Types: cc.StringSlice("rels"), Weight: cc.String("weight"), Key: cc.String("key"),
		Cypher: cc.String("cypher"), Elements: cc.Bool("write"), SkipBad: cc.Bool("skip-bad"),
	}
}

// edgeList reads the file that was given.
func (c *command) edgeList(ctx context.Context, cc *ucli.Context) (edgelist.List, error) {
	path := cc.Args().First()
	format, err := edgelist.ParseFormat(cc.String("format"))
	if err != nil {
		return edgelist.List{}, &userError{code: exitUsage, message: "cluster: " + err.Error()}
	}
	o := edgelist.Options{Name: path, Format: cmp.Or(format, edgelist.FormatOf(path)), SkipBad: cc.Bool("skip-bad")}
	var from io.Reader
	if path == "-" {
		o.Name, from = "standard input", terminal.NewContextReader(ctx, c.env.Stdin)
	} else {
		f, err := os.Open(path)
		if err != nil {
			return edgelist.List{}, fmt.Errorf("read edges: %w", err)
		}
		defer func() { _ = f.Close() }() // it was only read
		from = f
	}
	list, err := edgelist.Read(ctx, from, o)
	if errors.Is(err, edgelist.ErrLine) {
		return list, &userError{code: exitFailure, message: err.Error(), hint: "mend the line, or leave out bad ones with --skip-bad", cause: err}
	}
	return list, err
}

// leidenOptions are what the flags say of clustering.
func leidenOptions(cc *ucli.Context) (leiden.Options, error) {
	effort, err := leiden.ParseEffort(cc.String("effort"))
	if err != nil {
		return leiden.Options{}, usage("cluster: --%v", err)
	}
	return leiden.Options{
		Resolution: cc.Float64("resolution"), MaxSize: cc.Int("max"), Seed: cc.Uint64("seed"),
		Workers: cc.Int("workers"), Effort: effort, Strict: cc.Bool("strict"),
	}, nil
}

// clusterGraph reads a graph, finds its communities and hands them out.
func (c *command) clusterGraph(cc *ucli.Context, store *neo4jstore.Store, read func(context.Context) (index.UserGraph, error)) error {
	o, err := leidenOptions(cc)
	if err != nil {
		return err
	}
	begin := time.Now()
	g, err := read(cc.Context)
	if err != nil {
		return clusterError(err)
	}
	seconds := ClusterSeconds{Read: time.Since(begin).Seconds()}
	begin = time.Now()
	h, err := leiden.BuildHierarchy(cc.Context, g.Graph, o)
	if err != nil {
		return clusterError(err)
	}
	seconds.Cluster = time.Since(begin).Seconds()
	tree := community.NewTree(h, g.Graph.Nodes())
	done, err := clustering(cc.Context, g, tree)
	if err != nil {
		return err
	}
	done.Seconds = seconds
	if cc.Bool("write") {
		done.Written = &ClusterWritten{Prefix: cc.String("prefix")}
		if done.Written.Writes, err = index.MarkUserGraph(cc.Context, store, marking(cc), g, tree); err != nil {
			return clusterError(err)
		}
	}
	c.tellSkipped(cc, g)
	switch {
	case cc.Bool("json"):
		return c.printJSON(done)
	case cc.Bool("csv"):
		return c.clusterCSV(cc, g.Names, tree)
	}
	c.printClustering(done)
	return nil
}

func marking(cc *ucli.Context) index.Marking {
	return index.Marking{Prefix: cc.String("prefix"), MaxLabel: cc.Int("label-max")}
}

// clusterError says what a person can do about an error.
func clusterError(err error) error {
	switch {
	case errors.Is(err, leiden.ErrOptions), errors.Is(err, index.ErrPrefix):
		return &userError{code: exitUsage, message: err.Error(), cause: err}
	case errors.Is(err, usergraph.ErrRow):
		return &userError{code: exitFailure, message: err.Error(), hint: "mend the graph or the flags; --skip-bad leaves out rows that are no edge", cause: err}
	}
	return err
}

func (c *command) undoCluster(cc *ucli.Context) error {
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		writes, err := index.UnmarkUserGraph(cc.Context, store, marking(cc))
		if err != nil {
			return clusterError(err)
		}
		if cc.Bool("json") {
			return c.printJSON(ClusterWritten{Prefix: cc.String("prefix"), Writes: writes})
		}
		c.printf("What stood under %s is gone: %d writes.\n", cc.String("prefix"), writes)
		return nil
	})
}
