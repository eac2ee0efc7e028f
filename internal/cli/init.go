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
		Usage:     "write a " + settingFile + " with every setting at its default, and what each does",
		ArgsUsage: "[FOLDER]",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "file", Usage: "`FILE` to write", DefaultText: settingFile + " in the folder"},
			&ucli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "write over a file that is there"},
		},
		Action: c.runInit,
	}
}

func (c *command) runInit(cc *ucli.Context) error {
	if cc.NArg() > 1 || cc.NArg() == 1 && cc.IsSet("file") {
		return usage("init: give one folder, or --file")
	}
	path := cmp.Or(cc.String("file"), filepath.Join(cmp.Or(cc.Args().First(), c.env.Dir), settingFile))
	err := writeNew(path, defaultFile(), cc.Bool("yes"))
	if errors.Is(err, os.ErrExist) {
		return &userError{code: exitFailure, message: fmt.Sprintf("init: %s is there already", path), hint: "say --yes to write over it, or give another --file", cause: err}
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"file": path, "settings": len(allSettings())})
	}
	c.printf("Settings are in %s, each at its default.\n", path)
	if !cc.Bool("quiet") {
		c.printNext(path)
	}
	return nil
}

// printNext says what to do with new settings.
func (c *command) printNext(path string) {
	flag := ""
	if path != settingFile {
		flag = " --config " + path
	}
	c.printf("Next:\n")
	c.printf("  neorag doctor%s    # which settings hold, and whether a server answers\n", flag)
	c.printf("  neorag up%s        # a local Neo4j, unless neo4j.uri names another\n", flag)
	c.printf("  neorag index%s FOLDER\n", flag)
	c.printf("  neorag query%s 'What are the main themes?'\n", flag)
	c.printf("For a model, set %s, or models.chat.base_url and models.chat.model for another server.\n", envOpenAIKey)
}

// defaultFile is the file of settings that changes nothing.
func defaultFile() string {
	var keys []config.Key
	for _, s := range allSettings() {
		keys = append(keys, s.Key)
	}
	return config.Render(fileHead, keys, sections())
}

// writeNew writes a whole file or none; one that is there is kept unless over.
func writeNew(path, text string, over bool) (err error) {
	if !over {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		return errors.Join(err, f.Close())
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), settingFile+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
