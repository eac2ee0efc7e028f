package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// dataFlag is the data folder of the local server, in a group of flags. It is a
// setting, which environment.serverData reads.
func dataFlag(group string) ucli.Flag {
	return &ucli.StringFlag{Name: "data", Category: group, Usage: "keep the data of the local server in `FOLDER`"}
}

// serverFlags choose the Neo4j server. They are settings, which serverAddress reads.
func serverFlags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{Name: "neo4j-uri", Category: serverGroup, Usage: "connect to Neo4j at `URI` (" + config.EnvURI + "); the password comes from " + config.EnvPassword},
		&ucli.StringFlag{Name: "neo4j-username", Category: serverGroup, Value: config.DefaultNeo4jUser, Usage: "log in to Neo4j as `USER` (" + config.EnvUser + ")"},
		&ucli.StringFlag{Name: "neo4j-database", Category: serverGroup, Usage: "use the database `NAME` (" + config.EnvDatabase + ")"},
		dataFlag(serverGroup),
	}
}
