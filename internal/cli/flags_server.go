package cli

import ucli "github.com/urfave/cli/v2"

// serverFlags choose the Neo4j server. They are settings, which serverAddress reads.
func serverFlags() []ucli.Flag { return settingFlags("neo4j", "server.data") }
