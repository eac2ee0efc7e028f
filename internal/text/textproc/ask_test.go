package textproc

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

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
		{"How long should it be held?", "Hold it for about 30 seconds.", AskMeasure, "30"},
		{"How many came?", "Three of them came.", AskNumber, "Three"},
		{"Who opened it?", "Clara Hale did, in 1921.", AskPerson, ""},
		{"What is it?", "A museum, since 1921.", "", ""},
		{"青龙偃月刀重多少斤？", "云长造青龙偃月刀，重八十二斤。", AskNumber, "八十二斤"},
		{"How high is it?", "One ship is 34 m high.", AskMeasure, "34"},
		{"What is the latest version?", "Use 1.18.2 of it.", AskVersion, "1.18.2"},
		{"Wann wurde es eröffnet?", "Es wurde am 5. Juni 1998 eröffnet.", AskTime, "5. Juni 1998"},
		{"Quand le musée a-t-il ouvert ?", "Le 14 mai 1994.", AskTime, "14 mai 1994"},
		{"Когда открылся музей?", "Он открылся 3 мая 1990 года.", AskTime, "3 мая 1990"},
	} {
		ask := FormOf(tt.question, language.Unknown).Ask
		if span := ask.In(tt.text); ask != tt.ask || span != tt.span {
			t.Errorf("%q asks for %q and finds %q in %q, want %q and %q", tt.question, ask, span, tt.text, tt.ask, tt.span)
		}
	}
}

func TestAsksForList(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][2]bool{ // list, members
		"How do I install it?":              {true, false},
		"Why do we publish early?":          {true, false},
		"Which shells are supported?":       {true, true},
		"What are the advantages?":          {true, true},
		"Who are the contributors?":         {true, true},
		"Which variant was chosen?":         {false, false},
		"What does it cost?":                {false, false},
		"What is a berth?":                  {false, false},
		"Wie installiere ich eine Schrift?": {true, false},
		"Welche Dateiformate gibt es?":      {true, true},
		"渡口有哪些船票?":                          {true, true},
	} {
		if got := [2]bool{FormOf(question, language.Unknown).Lists, FormOf(question, language.Unknown).Members}; got != want {
			t.Errorf("%s: list, members: %v, want %v", question, got, want)
		}
	}
}
