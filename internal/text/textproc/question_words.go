package textproc

import "sync"

// instructionTerms holds the terms of a question that say how to answer it.
var instructionTerms = sync.OnceValue(func() map[string]bool { return setOf(Terms(listText("instruction_words"))) })

// askingTerms holds the terms of a question that its answer need not hold.
var askingTerms = sync.OnceValue(func() map[string]bool { return setOf(Terms(listText("asking_words"))) })

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
