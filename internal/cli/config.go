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

const (
	defaultCorpus = "main"
	defaultUser   = "neo4j"
)

func jsonFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "json", Usage: "print one JSON object for machines", DisableDefaultText: true}
}

func quietFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress and no remarks", DisableDefaultText: true}
}

func corpusFlag() *ucli.StringFlag {
	return &ucli.StringFlag{Name: "corpus", Usage: "`NAME` of the corpus (" + envCorpus + ")"}
}

// oneCorpusFlag is that of commands that look at all corpora when none is named.
func oneCorpusFlag() ucli.Flag {
	f := corpusFlag()
	f.DefaultText = "all"
	return f
}

func dataFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "data", Usage: "`FOLDER` of the local server"}
}

// neo4jFlags say which server is used, in place of the local one.
func neo4jFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "neo4j-uri", Usage: "`ADDRESS` of Neo4j (" + envURI + "); its password is read from " + envPassword + " alone"},
		&ucli.StringFlag{Name: "neo4j-username", Value: defaultUser, Usage: "`NAME` at Neo4j (" + envUser + ")"},
		&ucli.StringFlag{Name: "neo4j-database", Usage: "`NAME` of the database (" + envDatabase + ")"},
	}
}

// corpus is the setting, checked.
func (c *command) corpus(cc *ucli.Context) (string, error) {
	name := cmp.Or(cc.String("corpus"), defaultCorpus)
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
