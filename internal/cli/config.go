package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/graph"
)

// The environment variables that commands read, beside their flags.
const (
	envCorpus   = "NEORAG_CORPUS"
	envHome     = "NEORAG_HOME"
	envURI      = "NEO4J_URI"
	envUser     = "NEO4J_USERNAME"
	envPassword = "NEO4J_PASSWORD"
	envDatabase = "NEO4J_DATABASE"
)

const defaultCorpus = "main"

func jsonFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "json", Usage: "print one JSON object for machines"}
}

func quietFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress and no remarks"}
}

func corpusFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "corpus", Usage: "`NAME` of the corpus (default main; " + envCorpus + ")"}
}

func dataFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "data", Usage: "`FOLDER` of the local server (default: the user's data folder; " + envHome + ")"}
}

// corpus is the flag, else the environment, else main; checked.
func (c *command) corpus(cc *ucli.Context) (string, error) {
	name := cmp.Or(cc.String("corpus"), c.env.Getenv(envCorpus), defaultCorpus)
	if err := graph.CheckCorpus(name); err != nil {
		return "", &userError{code: exitUsage, message: err.Error()}
	}
	return name, nil
}

// home is where this user's servers and answers are kept.
func (c *command) home() string {
	if h := cmp.Or(c.env.Home, c.env.Getenv(envHome)); h != "" {
		return h
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "neorag")
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Application Support", "neorag")
	case "windows":
		return filepath.Join(cmp.Or(c.env.Getenv("LOCALAPPDATA"), filepath.Join(user, "AppData", "Local")), "neorag")
	default:
		return filepath.Join(cmp.Or(c.env.Getenv("XDG_DATA_HOME"), filepath.Join(user, ".local", "share")), "neorag")
	}
}

// serverData is the folder of the local server.
func (c *command) serverData(cc *ucli.Context) string {
	return cmp.Or(cc.String("data"), filepath.Join(c.home(), "neo4j"))
}
