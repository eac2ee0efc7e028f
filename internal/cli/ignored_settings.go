package cli

import (
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/ui/terminal"
)

const trustHint = "`neorag trust --show` shows these settings, `neorag trust` makes them take effect"

// trustStore returns the records of which files the user trusts. Without a folder for
// them no file is trusted.
func (env *environment) trustStore() (config.TrustStore, error) {
	home, err := env.home()
	return config.TrustStore{Home: home}, err
}

// ignoredSettings describes the settings of a file that was found and is not trusted,
// "" for none.
func (env *environment) ignoredSettings() string {
	ignored, reason := env.settings.Ignored()
	if len(ignored) == 0 {
		return ""
	}
	var keys []string
	for _, v := range ignored {
		keys = append(keys, fmt.Sprintf("%s (%s)", v.Name, v.Where))
	}
	text := env.settings.File() + " was found, not named, and is not trusted; ignored: " + strings.Join(keys, ", ")
	if _, err := env.trustStore(); reason == nil {
		reason = err
	}
	if reason != nil {
		text += "; " + reason.Error()
	}
	return terminal.OneLine(text)
}

// reportIgnored writes to stderr, also with --quiet, which settings are ignored.
func (env *environment) reportIgnored() {
	if text := env.ignoredSettings(); text != "" {
		fmt.Fprintf(env.messages(), "neorag: %s\n  %s\n", text, trustHint)
	}
}

// requireTrust returns an error if settings with one of these prefixes are ignored.
// Commands call it that would otherwise send texts to another model than the settings
// name, or write to another server or corpus, or of other files.
func (env *environment) requireTrust(prefixes ...string) error {
	ignored, _ := env.settings.Ignored()
	for _, v := range ignored {
		for _, prefix := range prefixes {
			if strings.HasPrefix(v.Name, prefix) {
				message := fmt.Sprintf("%s is ignored, and without it this command would use other servers, models, corpora or files than %s names", v.Name, env.settings.File())
				return &userError{code: exitUsage, message: terminal.OneLine(message), hint: "run `neorag trust`, or give the setting as a flag or a variable"}
			}
		}
	}
	return nil
}

// requireServer returns an error if a command writes to Neo4j while settings that
// choose the server, the corpus or what is kept out of it are ignored.
func (env *environment) requireServer(cc *ucli.Context) error {
	writes := slices.Contains([]string{"index", "embed", "remove"}, cc.Command.Name)
	for _, flag := range []string{"write", "undo", "repair"} {
		writes = writes || cc.Bool(flag)
	}
	writes = writes || cc.IsSet("merge") || cc.IsSet("split")
	if !writes {
		return nil
	}
	chosen := []string{"neo4j.", "server.data", "corpus"}
	if cc.Command.Name == "index" {
		chosen = append(chosen, "source.ignore")
	}
	return env.requireTrust(chosen...)
}
