package cite

import "testing"

// TestIsNotSaid: what the records do not say is told from what somebody in them does not say or do.
func TestIsNotSaid(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"The records do not say when Marley was born.":                        true,
		"The sources don't mention a treatment of the adrenal glands.":        true,
		"None of the reports describes the weather in December.":              true,
		"The text says nothing about the price of the goose.":                 true,
		"There is no information on dosage in the records shown.":             true,
		"The dose of mitotane is not stated in any of them.":                  true,
		"Nothing is said about his sister's husband.":                         true,
		"How old Scrooge is cannot be answered from this collection.":         true,
		"The reports and sources do not directly answer the question.":        true,
		"Die Quellen nennen das Geburtsjahr von Marley nicht.":                true,
		"Wann Marley geboren wurde, wird nicht erwähnt.":                      true,
		"Dazu gibt es in den Berichten keine Angaben.":                        true,
		"Las fuentes no mencionan la edad de Scrooge.":                        true,
		"Les sources ne précisent pas la date de naissance de Marley.":        true,
		"Scrooge did not say a word to the two gentlemen.":                    false,
		"Mitotane is not given to children under twelve years.":               false,
		"There is no evidence of metastases in the liver.":                    false,
		"The clerk never answered, and nobody asked him.":                     false,
		"Scrooge sagt den beiden Herren nichts über das Geld.":                false,
		"He told them nothing of the documents that he had signed in London.": false,
	} {
		if got := isNotSaid(sentence); got != want {
			t.Errorf("%q: got %v", sentence, got)
		}
	}
}
