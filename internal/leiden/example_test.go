package leiden_test

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/leiden"
)

// Three groups of four triangles each: the groups are the communities of level 0, and
// each of them splits into its triangles.
func ExampleBuildHierarchy() {
	const groups, triangles = 3, 4
	b := leiden.NewBuilder(groups * triangles * 3)
	add := func(u, v int, weight float64) {
		if err := b.Add(uint32(u), uint32(v), weight); err != nil {
			panic(err)
		}
	}
	for i := range groups * triangles {
		add(3*i, 3*i+1, 5)
		add(3*i, 3*i+2, 5)
		add(3*i+1, 3*i+2, 5)
		for j := range i {
			if i/triangles == j/triangles { // triangles of one group are linked
				add(3*i, 3*j, 4)
			}
		}
	}
	for i := range groups {
		add(i*triangles*3+1, (i+1)%groups*triangles*3+1, 1)
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	h, err := leiden.BuildHierarchy(context.Background(), g, leiden.Options{MaxSize: 6})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(h.Levels), "levels")
	for i, root := range h.Levels[0] {
		fmt.Println("community of", root.Size(), "nodes")
		for _, c := range h.Levels[1] {
			if c.Parent == i {
				fmt.Println("  ", h.Order[c.First:c.Last])
			}
		}
	}
	// Output:
	// 2 levels
	// community of 12 nodes
	//    [0 1 2]
	//    [3 4 5]
	//    [6 7 8]
	//    [9 10 11]
	// community of 12 nodes
	//    [12 13 14]
	//    [15 16 17]
	//    [18 19 20]
	//    [21 22 23]
	// community of 12 nodes
	//    [24 25 26]
	//    [27 28 29]
	//    [30 31 32]
	//    [33 34 35]
}
