package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newInitCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a " + config.FileName + " with every setting, its default and its description",
		ArgsUsage: "[FOLDER] (default: the working directory)",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "file", Usage: "write to `FILE`; cannot be combined with FOLDER", DefaultText: config.FileName + " in FOLDER"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "overwrite an existing file"},
		},
		Action: action(env, initOptionsFrom, runInit),
	}
}

type initOptions struct {
	folder    string // "" means the working directory
	file      string // "" means neorag.yaml in the folder
	overwrite bool
}

func initOptionsFrom(cc invocation) (initOptions, error) {
	o := initOptions{folder: cc.Args().First(), file: cc.String("file"), overwrite: cc.Bool("yes")}
	if cc.NArg() > 1 || cc.NArg() == 1 && o.file != "" {
		return o, usage("init: give one folder, or --file")
	}
	return o, nil
}

// writtenSettings is the shape of `init --json`.
type writtenSettings struct {
	File     string `json:"file"`
	Settings int    `json:"settings"`
}

func runInit(_ context.Context, env *environment, o initOptions) error {
	path := cmp.Or(o.file, filepath.Join(cmp.Or(o.folder, env.Dir), config.FileName))
	err := config.WriteFile(path, config.DefaultFile(), o.overwrite)
	if errors.Is(err, os.ErrExist) {
		return failure(err, fmt.Sprintf("init: %s already exists", path), "pass --yes to overwrite it, or give another --file")
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if err := trustWritten(env, path); err != nil {
		env.note("%s", terminal.OneLine(err.Error()))
	}
	return env.print(writtenSettings{path, len(config.Settings())}, func() {
		env.printf("Wrote %s with all settings at their defaults.\n", path)
		if !env.quiet {
			printNextSteps(env, path)
		}
	})
}

// trustWritten trusts the file that was written.
func trustWritten(env *environment, path string) error {
	store, err := env.trustStore()
	if err != nil {
		return err
	}
	return store.Trust(config.File{Path: path, Content: []byte(config.DefaultFile())})
}

// printNextSteps suggests the commands to run after init.
func printNextSteps(env *environment, path string) {
	flag := ""
	if path != config.FileName {
		flag = " --config " + path
	}
	env.printf("Next:\n")
	if flag == "" {
		env.printf("  neorag trust     # after each edit of models, servers or folders in it\n")
	}
	env.printf("  neorag doctor%s    # show the settings in effect and check the server\n", flag)
	env.printf("  neorag up%s        # start a local Neo4j, unless neo4j.uri names another server\n", flag)
	env.printf("  neorag index%s FOLDER\n", flag)
	env.printf("  neorag query%s 'What are the main themes?'\n", flag)
	env.printf("To use a model, set %s, or models.chat.base_url and models.chat.model for another server.\n", config.EnvOpenAIKey)
}
