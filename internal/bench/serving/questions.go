package main

import (
	"math/rand/v2"
	"strings"

	"github.com/neorag/neorag/internal/testkit/biggraph"
)

// different is how many questions there are, each of which is asked by each method.
const different = 400

// A question is what a request asks.
type question struct{ text, method string }

// rare is the rank of the rarest word that a question asks for first.
const rare = 500

// kinds are the forms of questions, with two names and two words of the corpus. The last one is about the
// whole.
var kinds = []string{
	"Where did {a} meet {b}?",
	"Who is {a}?",
	"What do {a} and {b} have to do with the {x} and the {y}?",
	"What did people say about {a} and the {x}?",
}

const (
	broadKind  = "What are the main themes of the letters about {x} and {y}?"
	broadEvery = 20
)

// questionAt returns the question of a request, always the same one. Methods alternate.
func questionAt(i, entities int) question {
	method, i := []string{"basic", "auto"}[i%2], i/2%different
	random := rand.New(rand.NewPCG(1, uint64(i))) //nolint:gosec // not negative
	a := random.IntN(entities - 1)
	kind := kinds[i%len(kinds)]
	if i%broadEvery == broadEvery-1 {
		kind = broadKind
	}
	first := random.IntN(rare)
	second := first + 1 + random.IntN(rare)
	text := strings.NewReplacer("{a}", biggraph.EntityName(a), "{b}", biggraph.EntityName(a+1), "{x}", biggraph.Word(first), "{y}", biggraph.Word(second)).Replace(kind)
	return question{text, method}
}
