// Command neorag indexes a folder of documents into a Neo4j knowledge graph
// and answers questions over it with evidence.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/neorag/neorag/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	os.Exit(cli.Main(ctx, cli.OS()))
}
