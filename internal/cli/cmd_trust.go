package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
			"ignore all but its harmless settings, and report that (docs/settings.md has the list). This command shows these\n" +
			"settings and records that you trust the current content of the file, and of the prompts, examples and programs in its\n" +
			"folder that it names: run it again after an edit of one of them. A file that --config or " + config.EnvConfig + "\n" +
			"names needs no trust.",
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
	Files    []trustedFile    `json:"files"`    // files that these settings have the program obey, empty with --revoke
}

type trustedFile struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"` // since it was trusted, which ends the trust in all
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
		trusted, err = store.Trusted(file)
	} else {
		err = store.Trust(file)
	}
	changed, known := errors.AsType[*config.ChangedError](err)
	if err != nil && !known {
		return err
	}
	return printTrust(env, path, file, trusted, changed)
}

func revokeTrust(env *environment, store config.TrustStore, path string) error {
	known, err := store.Revoke(path)
	if err != nil {
		return err
	}
	return env.print(trustReport{File: path, Settings: []trustedSetting{}, Files: []trustedFile{}}, func() {
		state := "is not trusted"
		if !known {
			state = "was not trusted"
		}
		env.printf("%s %s\n", terminal.OneLine(path), state)
	})
}

// filesOf returns the files that settings refer to, and those that changed, in order.
func filesOf(file config.File, changed *config.ChangedError) []trustedFile {
	out := []trustedFile{}
	for _, r := range file.References {
		out = append(out, trustedFile{File: r.Name})
	}
	if changed == nil {
		return out
	}
	for _, name := range changed.Files {
		i := slices.IndexFunc(out, func(f trustedFile) bool { return f.File == name })
		if i < 0 {
			i, out = len(out), append(out, trustedFile{File: name})
		}
		out[i].Changed = true
	}
	slices.SortFunc(out, func(a, b trustedFile) int { return strings.Compare(a.File, b.File) })
	return out
}

func printTrust(env *environment, path string, file config.File, trusted bool, changed *config.ChangedError) error {
	report := trustReport{File: path, Trusted: trusted, Settings: []trustedSetting{}, Files: filesOf(file, changed)}
	for _, v := range file.Restricted {
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
	if len(report.Files) > 0 {
		env.printf("These settings refer to the files:\n")
	}
	for _, f := range report.Files {
		note := ""
		if f.Changed {
			note = " (changed since it was trusted)"
		}
		env.printf("  %s\n", terminal.OneLine(f.File+note))
	}
	return nil
}
