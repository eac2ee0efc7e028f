package cli

import (
	"context"
	"io"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

func newEvalReportCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "report",
		Usage: "print what an evaluation shows: win rates, significance, accuracy, evidence, retrieval, claims, costs",
		Description: "Prints the tables of the papers as Markdown, from the folder of an evaluation alone. What failed is counted and shown.\n" +
			"If conditions differ only in the state of the corpus, the model, the prompts or the version, the latest is shown.",
		Flags: []ucli.Flag{
			corporaFlag(), evalFolderFlag(),
			listFlag{&ucli.StringSliceFlag{Name: "table", Usage: "print only the tables `NAMES`, separated by commas: " + strings.Join(evalreport.TableNames(), ", ")}},
			&ucli.StringFlag{Name: "html", Usage: "write the tables with plots to `FILE` too, as one page that loads nothing"},
			allConditionsFlag(),
			againstFlag(),
		},
		Action: action(env, evalReportOptionsFrom, runEvalReport),
	}
}

// evalFolderFlag names the folder of an evaluation that is only read.
func evalFolderFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "run", Usage: "read the evaluation in `FOLDER`", DefaultText: "in the user's data folder, one for each corpus"}
}

func allConditionsFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "all", Usage: "show each condition, and what distinguishes conditions of the same name"}
}

func againstFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "against", Usage: "compare the other conditions with the condition `NAME`, in the table lightrag and in `eval compare`", DefaultText: "the first one"}
}

type evalReportOptions struct {
	evalreport.Options

	corpora []string
	run     string   // folder; "" for the corpora's
	tables  []string // empty for all
	html    string   // file, "" for none
}

func evalReportOptionsFrom(cc invocation) (evalReportOptions, error) {
	o := evalReportOptions{
		Options: evalreport.Options{All: cc.Bool("all"), Against: cc.String("against")},
		run:     cc.String("run"), tables: cc.StringSlice("table"), html: cc.String("html"),
	}
	for _, name := range o.tables {
		if names := evalreport.TableNames(); !slices.Contains(names, name) {
			return o, usage("--table %q: choose from %s", name, strings.Join(names, ", "))
		}
	}
	if o.html == "-" && cc.Bool("json") {
		return o, usage("--html -: name a file, or leave out --json")
	}
	return o, o.readFolder("eval report", cc)
}

// readFolder reads which folder is meant.
func (o *evalReportOptions) readFolder(command string, cc invocation) error {
	if cc.Args().Present() {
		return usage("%s: name the folder of the evaluation with --run; it takes no arguments", command)
	}
	var err error
	o.corpora, err = corporaFrom(cc)
	return err
}

func runEvalReport(_ context.Context, env *environment, o evalReportOptions) error {
	r, err := readEvalReport(env, o)
	if err != nil {
		return err
	}
	tables := r.Tables(o.tables...)
	if o.html != "" {
		if err := writeTo(env, o.html, func(out io.Writer) error { return r.WriteHTML(out, tables) }); err != nil {
			return err
		}
	}
	if env.json {
		return env.printJSON(r)
	}
	if len(tables) == 0 {
		env.note("There is nothing to show yet: `neorag eval answer`, `judge`, `qa`, `claims` and `retrieval --run` make the records of these tables.")
	}
	if o.html != "-" {
		env.printf("%s", evalreport.Markdown(tables))
	}
	return nil
}

func readEvalReport(env *environment, o evalReportOptions) (evalreport.Report, error) {
	dir, err := runFolder(env, o.run, o.corpora)
	if err != nil {
		return evalreport.Report{}, err
	}
	f, err := evalrun.Open(dir)
	if err != nil {
		return evalreport.Report{}, err
	}
	return evalreport.Make(f, o.Options)
}
