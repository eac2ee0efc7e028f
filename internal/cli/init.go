package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

func (c *command) init() *ucli.Command {
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a " + config.FileName + " with every setting, its default and its description",
		ArgsUsage: "[FOLDER]",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "file", Usage: "`FILE` to write", DefaultText: config.FileName + " in the folder"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "overwrite an existing file"},
		},
		Action: c.runInit,
	}
}

func (c *command) runInit(cc *ucli.Context) error {
	if cc.NArg() > 1 || cc.NArg() == 1 && cc.IsSet("file") {
		return usage("init: give one folder, or --file")
	}
	path := cmp.Or(cc.String("file"), filepath.Join(cmp.Or(cc.Args().First(), c.env.Dir), config.FileName))
	err := config.WriteFile(path, config.DefaultFile(), cc.Bool("yes"))
	if errors.Is(err, os.ErrExist) {
		return &userError{code: exitFailure, message: fmt.Sprintf("init: %s already exists", path), hint: "pass --yes to overwrite it, or give another --file", cause: err}
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"file": path, "settings": len(config.Settings())})
	}
	c.printf("Wrote %s with all settings at their defaults.\n", path)
	if !cc.Bool("quiet") {
		c.printNext(path)
	}
	return nil
}

// printNext suggests the commands to run after init.
func (c *command) printNext(path string) {
	flag := ""
	if path != config.FileName {
		flag = " --config " + path
	}
	c.printf("Next:\n")
	c.printf("  neorag doctor%s    # show the settings in effect and check the server\n", flag)
	c.printf("  neorag up%s        # start a local Neo4j, unless neo4j.uri names another server\n", flag)
	c.printf("  neorag index%s FOLDER\n", flag)
	c.printf("  neorag query%s 'What are the main themes?'\n", flag)
	c.printf("To use a model, set %s, or models.chat.base_url and models.chat.model for another server.\n", config.EnvOpenAIKey)
}
