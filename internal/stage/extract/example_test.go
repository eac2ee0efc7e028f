package extract_test

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/extract"
)

func ExampleRules_Document() {
	text := "Clara Hale opened the Harbour Museum in Port Ellen in 1921. Mr. Tobias Reed, her clerk, kept the books for Clara Hale."
	chunks := []graph.Chunk{{Key: "main/c1", Text: text, End: len(text)}}
	found, err := extract.Rules{Concepts: -1}.Document(context.Background(), text, chunks)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range found[0].Entities {
		fmt.Printf("entity: %s (%s)\n", e.Name, e.Type)
	}
	for _, r := range found[0].Relationships {
		fmt.Printf("relationship: %s, %s, strength %d, keywords %q\n", r.Source, r.Target, r.Strength, r.Keywords)
	}
	for _, c := range found[0].Claims {
		fmt.Printf("claim: %s, %s, %s: %s\n", c.Subject, c.Type, c.StartDate, c.Description)
	}
	// Output:
	// entity: Clara Hale (person)
	// entity: Harbour Museum (organization)
	// entity: Port Ellen (location)
	// entity: Mr. Tobias Reed (person)
	// relationship: Harbour Museum, Port Ellen, strength 600, keywords []
	// relationship: Clara Hale, Harbour Museum, strength 600, keywords ["opened"]
	// relationship: Clara Hale, Port Ellen, strength 500, keywords ["opened"]
	// relationship: Mr. Tobias Reed, Clara Hale, strength 750, keywords ["kept" "clerk" "book"]
	// claim: Clara Hale, fact, 1921: Clara Hale opened the Harbour Museum in Port Ellen in 1921.
}

func ExampleParseTuples() {
	answer := `("entity"<|>Clara Hale<|>person<|>She opened the museum.)##
("relationship"<|>Clara Hale<|>Harbour Museum<|>She opened it.<|>founding<|>8)<|COMPLETE|>`
	x := extract.ParseTuples(answer)
	fmt.Println(x.Entities[0].Name, x.Entities[0].Type)
	fmt.Println(x.Relationships[0].Target, x.Relationships[0].Keywords, x.Relationships[0].Strength)
	// Output:
	// Clara Hale person
	// Harbour Museum [founding] 800
}
