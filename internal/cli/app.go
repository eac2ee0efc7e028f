package cli

import (
	ucli "github.com/urfave/cli/v2"
)

const exitCodesHelp = `
Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 finished with failed parts, 130 interrupted.
`

// newApp returns the whole command line.
func newApp(env *environment) *ucli.App {
	app := &ucli.App{
		Name:                   "neorag",
		Usage:                  "index documents into a Neo4j knowledge graph and answer questions about them, with evidence",
		Version:                currentBuild().String(),
		Reader:                 env.Stdin,
		Writer:                 env.Stdout,
		ErrWriter:              env.messages(),
		EnableBashCompletion:   true,
		UseShortOptionHandling: true,
		HideHelpCommand:        true,
		CustomAppHelpTemplate:  ucli.AppHelpTemplate + exitCodesHelp,
		ExitErrHandler:         func(*ucli.Context, error) {}, // Main prints errors
		OnUsageError:           onUsageError,
		Action: func(cc *ucli.Context) error {
			if name := cc.Args().First(); name != "" {
				return usage("unknown command %q%s", name, suggest(name, commandNames(cc.App), "; `neorag --help` lists all commands"))
			}
			return ucli.ShowAppHelp(cc)
		},
		Commands: []*ucli.Command{
			newInitCommand(env), newTrustCommand(env), newUpCommand(env), newDownCommand(env), newDoctorCommand(env),
			newIndexCommand(env), newEmbedCommand(env), newStatusCommand(env), newRemoveCommand(env),
			newQueryCommand(env), newMethodsCommand(env), newEvalCommand(env), newTraceCommand(env), newReportCommand(env), newEntitiesCommand(env),
			newServeCommand(env), newMCPCommand(env), newWorkCommand(env), newCypherCommand(env), newExploreCommand(env), newClusterCommand(env), newExportCommand(env), newDiffCommand(env),
			newPromptsCommand(env), newTuneCommand(env), newCacheCommand(env), newCompletionCommand(env), newVersionCommand(env),
		},
	}
	for _, cmd := range app.Commands {
		finish(cmd, env, cmd.Name)
	}
	return app
}

func onUsageError(_ *ucli.Context, err error, _ bool) error {
	return &userError{code: exitUsage, message: err.Error(), hint: "`neorag COMMAND --help` lists the flags"}
}

func commandNames(app *ucli.App) []string {
	var names []string
	for _, cmd := range app.Commands {
		names = append(names, cmd.Name)
	}
	return names
}
