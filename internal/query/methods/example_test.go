package methods_test

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// The engine reads a corpus that was indexed before. This example is compiled but
// not run, since it needs a server.
func Example() {
	ctx := context.Background()
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: "bolt://localhost:7687", Username: "neo4j", Password: "secret"})
	if err != nil {
		panic(err)
	}
	defer func() { _ = store.Close(ctx) }()
	engine, err := query.New(store, query.Options{Corpus: "main"})
	if err != nil {
		panic(err)
	}
	answer, err := engine.Ask(ctx, query.Question{Text: "Who was the partner of Scrooge?", Method: "local"})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Answer)
	for _, r := range answer.References {
		fmt.Printf("[%d] %s, bytes %d to %d: %s\n", r.N, r.Document, r.Start, r.End, r.Quote)
	}
}

func ExampleParseLevel() {
	for _, s := range []string{"", "root", "C1", "leaf", "deep"} {
		level, err := query.ParseLevel(s)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%q is level %d\n", s, level.Number())
	}
	// Output:
	// "" is level 2
	// "root" is level 0
	// "C1" is level 1
	// "leaf" is level 1048576
	// level "deep": give a number from 0 (the root level), C0 to C3, root or leaf
}

func ExampleFilter() {
	f := query.Filter{Documents: []string{"minutes/2026-*.md"}, After: "2026-03"}
	fmt.Println(f, f.IsZero())
	// Output: --document minutes/2026-*.md --after 2026-03 false
}
