package route_test

import (
	"fmt"

	"github.com/neorag/neorag/internal/query/route"
)

func ExampleDecide() {
	found := route.Found{Names: []route.Name{{Text: "Tiny Tim", Type: "person"}}, Entities: 12, Chunks: 40, Reports: true, Model: true}
	choice := route.Decide(route.FeaturesOf("What happens to Tiny Tim?", found))
	fmt.Println(choice.Method, "because", choice.Why)

	found.Names = nil
	choice = route.Decide(route.FeaturesOf("What are the main themes of the story?", found))
	fmt.Println(choice.Method, "because", choice.Why)
	// Output:
	// local because it names Tiny Tim, found in the graph
	// global because the question is about the whole and names nothing in it
}
