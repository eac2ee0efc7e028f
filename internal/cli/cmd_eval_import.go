package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/eval/evalimport"
	"github.com/neorag/neorag/internal/text/sanitize"
)

func newEvalImportCommand(env *environment) *ucli.Command {
	formats := strings.Join(slices.Sorted(maps.Keys(evalimport.Formats)), ", ")
	return &ucli.Command{
		Name:      "import",
		Usage:     "print questions of any JSON or JSONL file as the other commands read them",
		ArgsUsage: "FILE",
		Description: "FILE is JSON lines, or JSON with a list of questions. Flags name the fields: a path of names with dots, such as facts.title. In a list a name\n" +
			"leads to the field of each element, and a number to one element; * leads to all elements, and [name] keeps objects whose field is true.\n" +
			"Prints one JSON object per line: {id, question, type, answer, documents}.",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "question", Usage: "read the question at `PATH`"},
			&ucli.StringFlag{Name: "answer", Usage: "read the known answer at `PATH`; if there are several, the first is kept"},
			&ucli.StringFlag{Name: "evidence", Usage: "read the names of the documents that hold the answer at `PATH`"},
			&ucli.StringFlag{Name: "evidence-separator", Usage: "split a text at `TEXT` into the names of several documents"},
			&ucli.StringFlag{Name: "id", Usage: "read the id at `PATH`, or join those at several paths, separated by commas", DefaultText: "numbers from 1"},
			&ucli.StringFlag{Name: "type", Usage: "read the type of the question at `PATH`; results are shown by type"},
			&ucli.StringFlag{Name: "unanswerable", Usage: "write the type null for questions of the type `TYPE`, such as null_query, which the documents do not answer"},
			&ucli.StringFlag{Name: "items", Usage: "read the list of questions at `PATH`", DefaultText: "the file itself"},
			&ucli.StringFlag{Name: "format", Usage: "read the fields of the published set `NAME`: " + formats + "; other flags change single fields"},
		},
		Action: action(env, evalImportOptionsFrom, runEvalImport),
	}
}

type evalImportOptions struct {
	file   string
	fields evalimport.Fields
}

func evalImportOptionsFrom(cc invocation) (evalImportOptions, error) {
	o := evalImportOptions{file: cc.Args().First()}
	if cc.NArg() != 1 {
		return o, usage("eval import: give one FILE of questions, in JSON or JSON lines")
	}
	if name := cc.String("format"); name != "" {
		var known bool
		if o.fields, known = evalimport.Formats[name]; !known {
			return o, usage("--format %q: choose one of %s, or name the fields with --question and others", name, strings.Join(slices.Sorted(maps.Keys(evalimport.Formats)), ", "))
		}
	}
	for name, field := range map[string]*string{
		"question": &o.fields.Question, "answer": &o.fields.Answer, "evidence": &o.fields.Evidence, "evidence-separator": &o.fields.EvidenceSeparator,
		"id": &o.fields.ID, "type": &o.fields.Type, "unanswerable": &o.fields.Unanswerable, "items": &o.fields.Items,
	} {
		if cc.IsSet(name) {
			*field = cc.String(name)
		}
	}
	return o, nil
}

func runEvalImport(_ context.Context, env *environment, o evalImportOptions) error {
	file, err := os.Open(o.file)
	if err != nil {
		return usageError(fmt.Errorf("import questions: %w", err))
	}
	defer func() { _ = file.Close() }()
	read, err := evalimport.Read(file, o.fields)
	if err != nil {
		return usageError(fmt.Errorf("%s: %w", o.file, err))
	}
	if read.SeveralAnswers > 0 {
		env.note("%d questions have several known answers; the first of each is kept", read.SeveralAnswers)
	}
	if env.json {
		return env.printJSON(read)
	}
	var out bytes.Buffer
	for _, q := range read.Questions {
		line, err := json.Marshal(q)
		if err != nil {
			return fmt.Errorf("encode question %s: %w", q.ID, err)
		}
		out.Write(append(line, '\n'))
	}
	if _, err := env.Stdout.Write(sanitize.JSON(out.Bytes())); err != nil {
		return fmt.Errorf("write the questions: %w", err)
	}
	return nil
}
