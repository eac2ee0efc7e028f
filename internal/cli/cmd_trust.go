package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newTrustCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "trust",
		Usage:     "let all settings of a " + config.FileName + " take effect in its folder",
		ArgsUsage: "[FILE] (default: " + config.FileName + " in the working directory)",
		Description: "A " + config.FileName + " that is found in the working directory may come from somebody else. Until you trust it, commands\n" +
			"ignore its settings of servers, keys, models, folders and prompts, and report that. This command shows these\n" +
			"settings and records that you trust the current content of the file: run it again after an edit. A file that --config or\n" +
			config.EnvConfig + " names needs no trust.",
		Flags: []ucli.Flag{
			&ucli.BoolFlag{Name: "show", Usage: "show the settings and whether the file is trusted, and change nothing"},
			&ucli.BoolFlag{Name: "revoke", Usage: "end the trust in the file"},
		},
		Action: action(env, trustOptionsFrom, runTrust),
	}
}

type trustOptions struct {
	file         string // "" means neorag.yaml in the working directory
	show, revoke bool
}

func trustOptionsFrom(cc invocation) (trustOptions, error) {
	o := trustOptions{file: cc.Args().First(), show: cc.Bool("show"), revoke: cc.Bool("revoke")}
	if cc.NArg() > 1 || o.show && o.revoke {
		return o, usage("trust: give one file, and --show or --revoke")
	}
	return o, nil
}

// trustReport is the shape of `trust --json`.
type trustReport struct {
	File     string           `json:"file"`
	Trusted  bool             `json:"trusted"`
	Settings []trustedSetting `json:"settings"` // settings that need trust, empty with --revoke
}

type trustedSetting struct {
	Key   string   `json:"key"`
	Value []string `json:"value"`
	Where string   `json:"where"`
}

func runTrust(_ context.Context, env *environment, o trustOptions) error {
	path := cmp.Or(o.file, filepath.Join(env.Dir, config.FileName))
	store, err := env.trustStore()
	if err != nil {
		return err
	}
	if o.revoke {
		return revokeTrust(env, store, path)
	}
	file, err := config.ReadRestricted(path)
	if errors.Is(err, os.ErrNotExist) {
		return failure(err, "trust: there is no "+terminal.OneLine(path), "`neorag init` writes one")
	}
	if err != nil {
		return usageError(err)
	}
	trusted := true
	if o.show {
		trusted, err = store.Trusted(file.Path, file.Content)
	} else {
		err = store.Trust(file.Path, file.Content)
	}
	if err != nil {
		return err
	}
	return printTrust(env, path, file.Restricted, trusted)
}

func revokeTrust(env *environment, store config.TrustStore, path string) error {
	known, err := store.Revoke(path)
	if err != nil {
		return err
	}
	return env.print(trustReport{File: path, Settings: []trustedSetting{}}, func() {
		state := "is not trusted"
		if !known {
			state = "was not trusted"
		}
		env.printf("%s %s\n", terminal.OneLine(path), state)
	})
}

func printTrust(env *environment, path string, restricted []config.Value, trusted bool) error {
	report := trustReport{File: path, Trusted: trusted, Settings: []trustedSetting{}}
	for _, v := range restricted {
		s := trustedSetting{Key: v.Name, Where: v.Where}
		for _, item := range v.Items {
			s.Value = append(s.Value, withoutUser(item))
		}
		report.Settings = append(report.Settings, s)
	}
	if env.json {
		return env.printJSON(report)
	}
	state := "is trusted as it is"
	if !trusted {
		state = "is not trusted"
	}
	env.printf("%s %s\n", terminal.OneLine(path), state)
	for _, s := range report.Settings {
		env.printf("  %s\n", terminal.OneLine(s.Key+": "+strings.Join(s.Value, ", ")))
	}
	if len(report.Settings) == 0 {
		env.printf("  it has no settings that need trust\n")
	}
	return nil
}
