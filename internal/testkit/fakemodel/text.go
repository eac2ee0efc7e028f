package fakemodel

import (
	"regexp"
	"slices"
	"strings"
)

var (
	properName  = regexp.MustCompile(`\b[A-Z][a-z]+(?: [A-Z][a-z]+)*`)
	word        = regexp.MustCompile(`\pL+`)
	year        = regexp.MustCompile(`\b1[5-9]\d\d\b`)
	commonWords = strings.Fields("the a an and but or if in on at to of for it he she they we you i his her their this that there when what who how as by with from no not so then all one mr mrs")
)

// sentences splits a text at the ends of sentences, at ellipses, which truncated
// texts end with, and at the starts of headings.
func sentences(text string) []string {
	var out []string
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?…#", r) }) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			out = append(out, s+".")
		}
	}
	return out
}

// sharedWords counts the different words that a question and a text have in common.
func sharedWords(question, text string) int {
	seen := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(question), -1) {
		if !slices.Contains(commonWords, w) && len(w) > 2 {
			seen[w] = true
		}
	}
	n := 0
	for _, w := range word.FindAllString(strings.ToLower(text), -1) {
		if seen[w] {
			n++
			delete(seen, w)
		}
	}
	return n
}

// names returns the proper names in a text, each once.
func names(sentence string) []string {
	var out []string
	for _, n := range properName.FindAllString(sentence, -1) {
		if !slices.Contains(commonWords, strings.ToLower(n)) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
