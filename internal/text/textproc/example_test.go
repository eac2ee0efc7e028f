package textproc_test

import (
	"fmt"

	"github.com/neorag/neorag/internal/text/textproc"
)

func ExampleSentences() {
	text := "Mr. Scrooge said \"Humbug!\" to his nephew. He lived at No. 5,\nin a gloomy suite of rooms. Why?"
	for _, s := range textproc.Sentences(text) {
		fmt.Printf("%q\n", text[s.Start:s.End])
	}
	// Output:
	// "Mr. Scrooge said \"Humbug!\" to his nephew."
	// "He lived at No. 5,\nin a gloomy suite of rooms."
	// "Why?"
}

func ExampleTerms() {
	fmt.Println(textproc.Terms("The dinners at JaneDoe's café cost 1,000 crowns."))
	// Output: [dinner jane doe cafe cost 1000 crown]
}

func ExampleAnalyze() {
	r := textproc.Analyze("The clerk was Bob Cratchit. Bob lived in Camden Town with Tiny Tim.")
	for _, s := range r.Sentences {
		for _, name := range r.Names(s) {
			fmt.Println(r.Join(s.Tokens[name.Start:name.End]))
		}
	}
	// Output:
	// Bob Cratchit
	// Bob
	// Camden Town
	// Tiny Tim
}

func ExampleQuery_Lucene() {
	q := textproc.ReadQuestion("Describe the dinner with Hailey on 2026-04-10.")
	fmt.Println(q.Names)
	fmt.Println(q.Lucene())
	// Output:
	// [Hailey]
	// 04 10 2026 20260410^4 dinner hailey
}
