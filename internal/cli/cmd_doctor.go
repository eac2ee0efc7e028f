package cli

import (
	"context"
	"errors"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newDoctorCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "doctor",
		Usage: "check the settings, the server, its constraints and indexes, or the model, and suggest fixes",
		Description: "--graph also checks the graph: that counts, weights, labels, vectors and reports agree with the texts and mentions that they are made from.\n" +
			"--repair deletes orphaned nodes and edges, marks what is damaged, and rebuilds it if the corpus was made without a model and with the same options. It never reads a document or calls a model; what it cannot rebuild is left to the next `neorag index`.\n" +
			"--check-model checks only settings and models: it has the configured models extract, report and answer from three sentences, and embed them, without a cache, and shows whether they are able enough, how fast they are, and what to set. It needs no Neo4j.",
		Flags: slices.Concat([]ucli.Flag{
			anyCorpusFlag("check"),
			&ucli.BoolFlag{Name: "graph", Usage: "check the graph of each corpus, which reads all of it"},
			&ucli.BoolFlag{Name: "repair", Usage: "with --graph: repair what is damaged; give the options that the corpus was indexed with"},
			&ucli.BoolFlag{Name: "check-model", Usage: "try the configured models on three sentences, instead of checking the server"},
		}, checkModelFlags(), settingFlags("extract.entity_types", "clusters", "labels"), serverFlags(), []ucli.Flag{verboseFlag()}),
		Action: action(env, doctorOptionsFrom, runDoctor),
	}
}

type doctorOptions struct {
	corpus string        // "" means all
	graph  bool          // check the graph
	repair bool          // and repair it
	run    index.Options // of repairs

	checkModel bool
	models     modelOptions // if checkModel
	format     extract.Format
}

func doctorOptionsFrom(cc invocation) (doctorOptions, error) {
	o := doctorOptions{corpus: cc.settings.Text("corpus"), graph: cc.Bool("graph"), repair: cc.Bool("repair"), checkModel: cc.Bool("check-model"), format: extract.Format(cc.settings.Text("extract.format"))}
	if o.repair && !o.graph {
		return o, usage("doctor: --repair repairs what --graph finds; give both")
	}
	if o.checkModel && o.graph {
		return o, usage("doctor: --check-model checks no graph; give one of --check-model and --graph")
	}
	setCommunityOptions(cc.settings, &o.run)
	var err error
	o.models, err = checkModelOptions(cc, o.checkModel)
	return o, err
}

// diagnosis is the shape of `doctor --json`.
type diagnosis struct {
	Checks   []finding         `json:"checks"`
	OK       bool              `json:"ok"`
	Settings effectiveSettings `json:"settings"`
}

// A finding is the result of one check.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`

	Corpus   string         `json:"corpus,omitempty"`  // of a check of the graph
	Problem  *index.Problem `json:"problem,omitempty"` // that it found
	Repaired bool           `json:"repaired,omitempty"`

	Model *triedModel `json:"model,omitempty"` // of a check of a model
}

func runDoctor(ctx context.Context, env *environment, o doctorOptions) error {
	if o.checkModel {
		found, err := modelFindings(ctx, env, o)
		if err != nil {
			return err
		}
		return printFindings(env, append(settingsFindings(env), found...))
	}
	local, err := localFindings(ctx, env)
	if err != nil {
		return err
	}
	suggestLocalModels(ctx, env, indexUse, true)
	found := append(settingsFindings(env), local...)
	err = withStore(ctx, env, func(store *neo4jstore.Store) error {
		check, err := store.Check(ctx, o.corpus)
		if err != nil {
			return err
		}
		found = append(found, serverFindings(check, env.settings.Text("neo4j.uri"), o.corpus)...)
		if !o.graph {
			return nil
		}
		for _, c := range check.Corpora {
			graph, err := graphFindings(ctx, env, store, c.Corpus, o)
			if ctx.Err() != nil {
				return err
			}
			if err != nil {
				graph = []finding{{Check: "graph " + c.Corpus, Corpus: c.Corpus, Detail: err.Error(), Hint: doctorHint(err)}}
			}
			found = append(found, graph...)
		}
		return nil
	})
	if err != nil {
		found = append(found, finding{Check: "server", Detail: err.Error(), Hint: doctorHint(err)})
	}
	return printFindings(env, found)
}

// printFindings prints what the checks found, and sets the exit code.
func printFindings(env *environment, found []finding) error {
	failed := 0
	for _, f := range found {
		if !f.OK {
			failed++
		}
	}
	if failed > 0 {
		env.exit = exitFailure
	}
	if env.json {
		for i := range found {
			found[i].Detail, found[i].Hint = env.withoutFolders(found[i].Detail), env.withoutFolders(found[i].Hint)
		}
		return env.printJSON(diagnosis{Checks: found, OK: failed == 0, Settings: effectiveSettingsOf(env)})
	}
	for _, f := range found {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		env.printf("%s  %-12s %s\n", mark, f.Check, f.Detail)
		if f.Hint != "" {
			env.printf("      %-12s %s\n", "", f.Hint)
		}
	}
	return nil
}

// localFindings checks what a local server needs, unless another one is used.
func localFindings(ctx context.Context, env *environment) ([]finding, error) {
	if env.settings.Text("neo4j.uri") != "" {
		return nil, nil
	}
	data, err := env.serverData()
	if err != nil {
		return []finding{{Check: "data", Detail: err.Error()}}, nil //nolint:nilerr // the finding reports it
	}
	checks, err := localneo4j.Inspect(ctx, localneo4j.Options{Data: data, Java: javaProgram(env)})
	if err != nil {
		return nil, err
	}
	var out []finding
	for _, c := range checks {
		out = append(out, finding{Check: c.Name, OK: c.OK, Detail: c.Detail, Hint: c.Hint})
	}
	return out, nil
}

func doctorHint(err error) string {
	if u, ok := errors.AsType[*userError](err); ok && u.hint != "" {
		return u.hint
	}
	return knownOf(err).hint
}
