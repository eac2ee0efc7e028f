package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

func newPromptsCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "prompts",
		Usage:     "list, show, export or check the prompts for models",
		ArgsUsage: "[list | show NAME | export FOLDER | check FOLDER]",
		Description: "list    lists the prompts in effect with their tokens and placeholders (default)\n" +
			"show    prints a prompt, and with --json its schema too\n" +
			"export  writes all prompts in effect into a folder, to be edited and used with --prompts\n" +
			"check   checks the files in a folder: names, placeholders, schemas, domain.json",
		Flags: []ucli.Flag{
			ownFlag("prompts", "use the prompts in `FOLDER` instead of the built-in ones of the same file name"),
			&ucli.BoolFlag{Name: "overwrite", Usage: "replace files that exist (export only)"},
		},
		Action: action(env, promptsOptionsFrom, runPrompts),
	}
}

type promptsOptions struct {
	operation string // list, show, export or check
	argument  string // of show, export and check
	set       prompts.Set
	overwrite bool
}

func promptsOptionsFrom(cc invocation) (promptsOptions, error) {
	o := promptsOptions{
		operation: cmp.Or(cc.Args().First(), "list"), argument: cc.Args().Get(1), set: prompts.Set{Dir: cc.settings.Text("prompts")}, overwrite: cc.Bool("overwrite"),
	}
	operations := []string{"list", "show", "export", "check"}
	switch {
	case !slices.Contains(operations, o.operation):
		return o, usage("prompts: unknown operation %q%s", o.operation, suggest(o.operation, operations, "; choose list, show, export or check"))
	case o.operation == "list" && cc.NArg() > 1:
		return o, usage("prompts list: it takes no further argument")
	case o.operation == "show" && cc.NArg() != 2:
		return o, usage("prompts show: give the NAME of a prompt, such as report; `neorag prompts` lists them")
	case o.operation != "list" && cc.NArg() != 2:
		return o, usage("prompts %s: give a FOLDER", o.operation)
	case o.overwrite && o.operation != "export":
		return o, usage("--overwrite: only `neorag prompts export` writes files")
	}
	return o, nil
}

func runPrompts(_ context.Context, env *environment, o promptsOptions) error {
	if err := env.requireTrust("prompts"); err != nil {
		return err
	}
	if err := o.set.CheckFolder(); err != nil {
		return usage("--prompts: %w", err)
	}
	switch o.operation {
	case "show":
		return showPrompt(env, o)
	case "export":
		return exportPrompts(env, o)
	case "check":
		return checkPrompts(env, o)
	}
	return listPrompts(env, o.set)
}

// The shapes of `prompts --json`: of a list, show, export and check.
type (
	promptList struct {
		Prompts []PromptLine `json:"prompts"`
	}
	promptText struct {
		Name   string `json:"name"`
		Schema string `json:"schema"` // JSON, empty for an answer in text
		Text   string `json:"text"`
	}
	exportedPrompts struct {
		Files  []string `json:"files"`
		Folder string   `json:"folder"`
	}
	checkedPrompts struct {
		Problems []string     `json:"problems"`
		Replaced []PromptLine `json:"replaced"`
	}
)

// A PromptLine describes a prompt.
type PromptLine struct {
	Name         string   `json:"name"`
	Replaced     bool     `json:"replaced"` // by a file of --prompts
	Tokens       int      `json:"tokens"`   // without values
	Placeholders []string `json:"placeholders"`
	Needed       []string `json:"needed"` // those that the prompt must have
	Schema       bool     `json:"schema"` // the answer has one
}

func promptLine(set prompts.Set, name string, counter *tokens.Counter) (PromptLine, error) {
	p, err := set.Get(name)
	if err != nil {
		return PromptLine{}, err
	}
	system, user := p.Render(nil)
	known, needed := prompts.Placeholders(name)
	return PromptLine{
		Name: name, Replaced: set.IsReplaced(name), Tokens: counter.Count(system) + counter.Count(user),
		Placeholders: append([]string{}, known...), Needed: append([]string{}, needed...), Schema: p.Schema != nil,
	}, nil
}

func listPrompts(env *environment, set prompts.Set) error {
	counter, err := tokens.Get("")
	if err != nil {
		return err
	}
	lines := []PromptLine{}
	for _, name := range prompts.Names() {
		line, err := promptLine(set, name, counter)
		if err != nil {
			return usageError(err)
		}
		lines = append(lines, line)
	}
	if env.json {
		return env.printJSON(promptList{lines})
	}
	env.printf("%-14s %6s  %-8s %-6s %s\n", "prompt", "tokens", "from", "schema", "placeholders (* must be there)")
	for _, l := range lines {
		from, schema := "built-in", "no"
		if l.Replaced {
			from = "file"
		}
		if l.Schema {
			schema = "yes"
		}
		names := slices.Clone(l.Placeholders)
		for i, name := range names {
			if slices.Contains(l.Needed, name) {
				names[i] = name + "*"
			}
		}
		env.printf("%s\n", strings.TrimRight(fmt.Sprintf("%-14s %6d  %-8s %-6s %s", l.Name, l.Tokens, from, schema, strings.Join(names, ", ")), " "))
	}
	return nil
}

func showPrompt(env *environment, o promptsOptions) error {
	text, schema, err := o.set.Text(o.argument)
	if err != nil {
		return usageError(err)
	}
	return env.print(promptText{Name: o.argument, Text: text, Schema: schema}, func() { env.printf("%s\n", strings.TrimRight(text, "\n")) })
}

func exportPrompts(env *environment, o promptsOptions) error {
	files, err := o.set.Export(o.argument, o.overwrite)
	if err != nil {
		return err
	}
	return env.print(exportedPrompts{Folder: env.withoutFolders(o.argument), Files: files}, func() {
		env.printf("%d files written to %s: edit the ones that you want to change, delete the others, and use the folder with --prompts %s\n", len(files), o.argument, o.argument)
	})
}

func checkPrompts(env *environment, o promptsOptions) error {
	set := prompts.Set{Dir: o.argument}
	counter, err := tokens.Get("")
	if err != nil {
		return err
	}
	problems := []string{}
	for _, err := range set.Problems() {
		problems = append(problems, err.Error())
	}
	if _, err := readDomain("", set); err != nil {
		problems = append(problems, err.Error())
	}
	replaced, n := []PromptLine{}, 0
	for _, name := range prompts.Names() {
		if !set.IsReplaced(name) {
			continue
		}
		n++
		if line, err := promptLine(set, name, counter); err == nil {
			replaced = append(replaced, line)
		}
	}
	if len(problems) > 0 {
		env.exit = exitFailure
	}
	if env.json {
		return env.printJSON(checkedPrompts{Replaced: replaced, Problems: problems})
	}
	for _, l := range replaced {
		built, err := promptLine(prompts.Set{}, l.Name, counter)
		if err != nil {
			return err
		}
		env.printf("%s: %d tokens, the built-in one %d\n", l.Name, l.Tokens, built.Tokens)
	}
	for _, p := range problems {
		env.printf("Problem: %s\n", p)
	}
	env.printf("Prompts that are replaced: %d; problems: %d\n", n, len(problems))
	return nil
}
