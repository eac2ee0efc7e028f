package report

// Typical answers of models: a report comes near the words that it is asked for if there is enough
// to say, and is not much longer than half of its records.
const (
	typicalShare = .85
	leastTokens  = 120 // of a title, a rating and a sentence, as JSON
)

// TypicalTokens returns the tokens of a typical report by a model with the default limit on a
// community with that many members, whose context has that many tokens.
func TypicalTokens(members, context int) int {
	room := typicalShare * float64((&Model{}).limit())
	if members <= summaryOnly {
		room *= summaryShare
	}
	return leastTokens + min(int(room), context/2)
}
