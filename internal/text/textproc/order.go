package textproc

import (
	"slices"
	"strings"
)

// orderQuestion matches questions about the order of events or the time between them.
var orderQuestion = lazily(`(?i)^\s*(?:did|do|does|is|are|was|were|has|have|had|how long|how many days|how many weeks|how much time)\b.*\b(?:before|after|between)\b|\b(?:how long|did it take|time)\b.*\bfrom\b.*\bto\b`)

// orderSplit matches the words between the events of such a question.
var orderSplit = lazily(`(?i)\b(?:before|after|between|and|from|until|to the)\b`)

// minPartTerms is the smallest number of terms of an event.
const minPartTerms = 3

// OrderParts returns the events of an English question about their order, such as "Did Ann
// call before Bob left?": each has its own document. It returns none for
// other questions, and for those with fewer than two events. What only asks for a time, such as
// "Did it take more than 3 weeks", is not an event.
func OrderParts(question string) []string {
	if !orderQuestion().MatchString(question) {
		return nil
	}
	var parts []string
	for _, part := range orderSplit().Split(question, -1) {
		terms := ReadQuestion(part).Terms
		if part = strings.TrimSpace(part); len(terms) >= minPartTerms && slices.ContainsFunc(terms, isOfEvent) {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// isOfEvent reports whether a term says what happens, not how something was said or how long it took.
func isOfEvent(t WeightedTerm) bool {
	return !askingTerms()[t.Term] && t.Term != "long" && !strings.ContainsAny(t.Term, "0123456789")
}

// orderAsked matches questions whether one event was before or after another.
var orderAsked = lazily(`(?i)^\s*(?:did|do|does|was|were|has|have|had|is|are)\b.*?\b(before|after)\b`)

// OrderAsked returns the two events of a question whether the first was before the second, or after
// it. ok is false for another question.
func OrderAsked(question string) (first, second string, before, ok bool) {
	parts, m := OrderParts(question), orderAsked().FindStringSubmatch(question)
	if len(parts) != 2 || m == nil || strings.Contains(strings.ToLower(question), " between ") {
		return "", "", false, false
	}
	return parts[0], parts[1], strings.EqualFold(m[1], "before"), true
}
