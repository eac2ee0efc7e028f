package textproc

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed stop.txt
var stopList string

//go:embed asking.txt
var askingList string

// stopSet holds the words that say nothing about what a text is about.
var stopSet = sync.OnceValue(func() map[string]bool { return wordSet(stopList) })

// askingSet holds the terms that tell how to answer, not what about.
var askingSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, term := range Terms(askingList) {
		set[term] = true
	}
	return set
})

var monthNames = [12]string{
	"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december",
}

func wordSet(list string) map[string]bool {
	words := strings.Fields(list)
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
