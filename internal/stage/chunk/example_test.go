package chunk_test

import (
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/chunk"
)

func ExampleSplit() {
	doc := graph.Document{
		Key: graph.DocumentKey("main", "museum.txt"), URI: "museum.txt",
		Text: "Clara Hale opened the Harbour Museum in 1921. Tobias Reed kept its books.\n\nThe museum burned in 1933.",
	}
	chunks, err := chunk.Split("main", doc, nil, chunk.Options{Size: 15, Overlap: new(4)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range chunks {
		fmt.Printf("%d: %q, bytes %d to %d, %d tokens\n", c.Index, c.Text, c.Start, c.End, c.NTokens)
	}
	// Output:
	// 0: "Clara Hale opened the Harbour Museum in 1921. Tobias Reed kept its books.\n\n", bytes 0 to 75, 18 tokens
	// 1: "The museum burned in 1933.", bytes 75 to 101, 8 tokens
}
