package textproc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWebPagesKeepTheirOffsets(t *testing.T) {
	t.Parallel()
	text := "[Home](http://x.org/) [News](http://x.org/news) [Sport](http://x.org/sport)\n\n" +
		"We saw [Bob **Cratchit**](http://x.org/bob) in London. ![Image of Paris](http://x.org/p.png) He bought a goose.\n\n" +
		strings.Repeat("It was a long day for all of us and we were tired of it. ", 6)
	r := Analyze(text)
	first := r.Sentences[0]
	if got, want := r.Phrase(first.Span), "We saw Bob Cratchit in London."; got != want {
		t.Errorf("phrase of the first sentence is %q, want %q", got, want)
	}
	if got, want := text[first.Start:first.End], "We saw [Bob **Cratchit**](http://x.org/bob) in London."; got != want {
		t.Errorf("source of the first sentence is %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"Bob Cratchit", "London"}, namesOf(text)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestSpeakers(t *testing.T) {
	t.Parallel()
	r := Analyze("Time: 20260105_11:00\nLiHua: Hello, Ann.\nAnn Lee: Hi.\nLiHua: Bye.\n")
	if diff := cmp.Diff([]string{"LiHua", "Ann Lee"}, r.Speakers); diff != "" || !r.Chat {
		t.Errorf("chat log: %t; speakers (-want +got):\n%s", r.Chat, diff)
	}
	if r := Analyze("Physics: the study of matter.\nIt is old.\nIt is hard to learn.\n"); r.Chat || len(r.Speakers) > 0 {
		t.Errorf("a page with a label is read as a chat log of %v", r.Speakers)
	}
}

func TestPhrase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"He sat in the armchair at home and he read\n    _The Times_ there.": "He sat in the armchair at home and he read The Times there.",
		"The snake_case name_ is odd.":                                       "The snake_case name is odd.",
	} {
		r := Analyze(text)
		if got := r.Phrase(r.Sentences[0].Span); got != want {
			t.Errorf("phrase of %q is %q, want %q", text, got, want)
		}
	}
}
