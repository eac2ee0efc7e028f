package index_test

import (
	"context"
	"fmt"
	"os"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Example indexes a folder without a model, into a server that is running.
func Example() {
	ctx := context.Background()
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: "bolt://localhost:7687", Username: "neo4j", Password: os.Getenv("NEO4J_PASSWORD")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close(ctx) }()
	indexer, err := index.New(store, index.Options{Corpus: "main"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := indexer.Run(ctx, []string{"docs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d documents added, exit code %d\n", result.Documents.Added, result.Exit)
}

func ExampleParseAllowance() {
	for _, s := range []string{"3", "2.5%", "many"} {
		a, err := index.ParseAllowance(s)
		fmt.Println(a.Count, a.Percent, err)
	}
	// Output:
	// 3 0 <nil>
	// 0 2.5 <nil>
	// 0 0 allowance "many": give a number or a percentage from 0% to 100%
}
