package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newEntitiesCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "entities",
		Usage:     "list the entities with all their names, and merge or split names",
		ArgsUsage: "[TEXT | NAME]",
		Description: "Names that differ only in plural or hyphens, and abbreviations that a document introduces, are merged into one entity, and so are similar names in a corpus that is indexed with --resolve similar. --merge and --split record decisions that later runs keep.\n" +
			"In a corpus that was indexed without a model and with default options, the graph is rebuilt immediately; else by the next `neorag index`.",
		Flags: append([]ucli.Flag{
			corpusFlag(),
			&ucli.StringFlag{Name: "type", Usage: "list only the entities of type `TYPE`"},
			&ucli.BoolFlag{Name: "aliases", Usage: "list only entities with several names"},
			&ucli.BoolFlag{Name: "confirmed", Usage: "list the name pairs that a model confirmed to be one entity (index --resolve similar)"},
			&ucli.StringFlag{Name: "merge", Usage: "record that `NAME` and the name that follows are the same entity"},
			&ucli.StringFlag{Name: "split", Usage: "undo --merge of `NAME`; if rules or a model merged it instead, keep it separate from all other names"},
		}, serverFlags()...),
		Action: action(env, entitiesOptionsFrom, runEntities),
	}
}

type entitiesOptions struct {
	corpus       string
	text, typ    string // filters; empty for none
	aliases      bool
	confirmed    bool
	merge, other string // names to merge; empty for none
	split        string // empty for none
}

func entitiesOptionsFrom(cc invocation) (o entitiesOptions, err error) {
	o = entitiesOptions{text: strings.Join(cc.Args().Slice(), " "), typ: cc.String("type"), aliases: cc.Bool("aliases"), confirmed: cc.Bool("confirmed"), merge: cc.String("merge"), split: cc.String("split")}
	if o.corpus, err = corpusFrom(cc); err != nil {
		return o, err
	}
	if o.merge != "" {
		o.text, o.other = "", o.text
	}
	switch {
	case o.merge != "" && o.other == "":
		return o, usage("--merge: give two names, each in quotes")
	case o.split != "" && (o.merge != "" || o.text != ""):
		return o, usage("--split: give one name and nothing else")
	}
	return o, nil
}

// Entities is the shape of `entities --json`.
type Entities struct {
	Corpus    string        `json:"corpus"`
	Entities  []NamedEntity `json:"entities"`
	Merged    [][2]string   `json:"merged"`            // pairs of normalised names of the same entity, by --merge
	Split     []string      `json:"split"`             // normalised names that are kept separate, by --split
	Confirmed [][2]string   `json:"confirmed"`         // pairs of normalised names that a model confirmed to be the same entity, with resolve: similar
	Applied   *bool         `json:"applied,omitempty"` // after --merge and --split: the graph was rebuilt
}

// NamedEntity is an entity with all its names.
type NamedEntity struct {
	Key     string   `json:"key"` // normalised name
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Chunks  int      `json:"chunks"` // that mention it
	Aliases []string `json:"aliases"`
}

func runEntities(ctx context.Context, env *environment, o entitiesOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		applied, err := decideNames(ctx, env, store, o)
		if err != nil {
			return err
		}
		out, err := entitiesOf(ctx, store, o)
		if err != nil {
			return err
		}
		out.Applied = applied
		if env.json {
			return env.printJSON(out)
		}
		if applied != nil {
			if *applied {
				env.printf("The decision is recorded; graph rebuilt: %d entities\n", len(out.Entities))
			} else {
				env.printf("The decision is recorded; the next `neorag index` rebuilds the graph (with --upgrade, if `neorag status` shows an earlier edition).\n")
			}
			return nil
		}
		if o.confirmed {
			for _, p := range out.Confirmed {
				env.printf("%s\n", terminal.OneLine(p[0]+" | "+p[1]))
			}
			return nil
		}
		for _, e := range out.Entities {
			env.printf("%5d  %-12s %s\n", e.Chunks, terminal.OneLine(e.Type), terminal.OneLine(strings.Join(append([]string{e.Name}, e.Aliases...), " | ")))
		}
		return nil
	})
}

// decideNames records a decision, if one is given, and returns whether it was applied.
func decideNames(ctx context.Context, env *environment, store *neo4jstore.Store, o entitiesOptions) (*bool, error) {
	if o.merge == "" && o.split == "" {
		return nil, nil
	}
	x, err := index.New(store, index.Options{Corpus: o.corpus, Logger: env.logger()})
	if err != nil {
		return nil, usageError(err)
	}
	var applied bool
	if o.merge != "" {
		applied, err = x.MergeNames(ctx, o.merge, o.other)
	} else {
		applied, err = x.SplitName(ctx, o.split)
	}
	return &applied, err
}

// entitiesOf reads the entities that the filters leave, those in most chunks first.
func entitiesOf(ctx context.Context, store *neo4jstore.Store, o entitiesOptions) (Entities, error) {
	c, err := store.Corpus(ctx, o.corpus)
	if err != nil {
		return Entities{}, err
	}
	out := Entities{Corpus: o.corpus, Entities: []NamedEntity{}, Confirmed: [][2]string{}, Merged: append([][2]string{}, c.Decisions.Merged...), Split: append([]string{}, c.Decisions.Split...)}
	text := strings.ToLower(o.text)
	err = store.EntityAliases(ctx, o.corpus, func(e neo4jstore.AliasedEntity) {
		names := strings.ToLower(strings.Join(append([]string{e.Name}, e.Aliases...), "\n"))
		if o.typ != "" && !strings.EqualFold(o.typ, e.Type) || o.aliases && len(e.Aliases) == 0 || !strings.Contains(names, text) {
			return
		}
		out.Entities = append(out.Entities, NamedEntity{Key: graph.Local(e.Key), Name: e.Name, Type: e.Type, Chunks: e.Frequency, Aliases: append([]string{}, e.Aliases...)})
	})
	slices.SortStableFunc(out.Entities, func(a, b NamedEntity) int { return cmp.Compare(b.Chunks, a.Chunks) })
	if err != nil {
		return out, err
	}
	pairs, err := store.NamePairs(ctx, o.corpus)
	for _, p := range pairs {
		if p.Same {
			out.Confirmed = append(out.Confirmed, [2]string{p.A, p.B})
		}
	}
	slices.SortFunc(out.Confirmed, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return out, err
}
