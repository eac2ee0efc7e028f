package textproc

import "testing"

func TestAsk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, text string
		ask            Ask
		span           string
	}{
		{"When did it open?", "It opened on Friday at 5:30 PM.", AskTime, "Friday"},
		{"What time is the show?", "How about the 8 PM show?", AskTime, "8 PM"},
		{"Which year was it?", "It was closed in 1921.", AskTime, "1921"},
		{"When is it?", "It may be soon.", AskTime, ""},
		{"How long should it be held?", "Hold it for about 30 seconds.", AskNumber, "about 30 seconds"},
		{"How many came?", "Three of them came.", AskNumber, "Three"},
		{"Who opened it?", "Clara Hale did, in 1921.", AskPerson, ""},
		{"What is it?", "A museum, since 1921.", "", ""},
	} {
		ask := AskOf(tt.question)
		if span := ask.In(tt.text); ask != tt.ask || span != tt.span {
			t.Errorf("%q asks for %q and finds %q in %q, want %q and %q", tt.question, ask, span, tt.text, tt.ask, tt.span)
		}
	}
}
