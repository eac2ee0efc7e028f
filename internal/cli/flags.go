package cli

import (
	"cmp"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/graph"
)

func jsonFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "json", Usage: "print one JSON object for machines", DisableDefaultText: true}
}

func quietFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress and no remarks", DisableDefaultText: true}
}

func corpusFlag() *ucli.StringFlag {
	return &ucli.StringFlag{Name: "corpus", Usage: "`NAME` of the corpus (NEORAG_CORPUS)"}
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
		&ucli.StringFlag{Name: "neo4j-uri", Usage: "`ADDRESS` of Neo4j (" + config.EnvURI + "); its password is read from " + config.EnvPassword + " alone"},
		&ucli.StringFlag{Name: "neo4j-username", Value: config.DefaultNeo4jUser, Usage: "`NAME` at Neo4j (" + config.EnvUser + ")"},
		&ucli.StringFlag{Name: "neo4j-database", Usage: "`NAME` of the database (" + config.EnvDatabase + ")"},
	}
}

// corpus is the setting, checked.
func (c *command) corpus(cc *ucli.Context) (string, error) {
	name := cmp.Or(cc.String("corpus"), config.DefaultCorpus)
	if err := graph.CheckCorpus(name); err != nil {
		return "", &userError{code: exitUsage, message: err.Error()}
	}
	return name, nil
}

// home is where this user's servers and answers are kept.
func (c *command) home() string { return cmp.Or(c.env.Home, config.DataDir(c.env.Getenv)) }

// serverData is the folder of the local server.
func (c *command) serverData(cc *ucli.Context) string {
	return cmp.Or(cc.String("data"), filepath.Join(c.home(), "neo4j"))
}
