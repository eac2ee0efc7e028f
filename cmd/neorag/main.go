// Command neorag indexes a folder of documents into a Neo4j knowledge graph
// and answers questions over it with evidence.
package main

import (
	"os"

	"github.com/neorag/neorag/internal/cli"
)

func main() { os.Exit(cli.Process(cli.OS())) }
