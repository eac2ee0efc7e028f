package llm

import (
	"slices"
	"strings"
)

// ParseYesNo interprets the usual forms of an answer to a question for yes or no: YES, "Yes.",
// **Y**, or a sentence that contains "yes" and not "no", or the other way round. It is not ok
// if the answer is neither.
func ParseYesNo(answer string) (yes, ok bool) {
	words := strings.FieldsFunc(strings.ToLower(answer), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(words) == 0 {
		return false, false
	}
	switch words[0] {
	case "yes", "y", "yeah", "yep":
		return true, true
	case "no", "n", "not", "none", "nothing":
		return false, true
	}
	yes, no := slices.Contains(words, "yes"), slices.Contains(words, "no")
	return yes && !no, yes != no
}

// BiasYesNo has a request for yes or no answered with one of the tokens of a bias, and nothing
// else. An empty bias changes nothing.
func (r *Request) BiasYesNo(bias map[string]int64) {
	if len(bias) > 0 {
		// With the bias the model does not stop by itself.
		r.LogitBias, r.MaxTokens, r.MayEndAtLimit = bias, 1, true
	}
}
