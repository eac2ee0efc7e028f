package textproc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/textproc"
)

const chatLog = "Time: 20260410_11:00\nLiHua: Dinner tomorrow?\nHailey Johnson: Yes!\n"

func TestIsChat(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"log", chatLog, true},
		{"only a time", "Time: 2026-04-10\nno speaker\nhere at all\n", true},
		{"half of the lines", "Ann: hi\nBob: ho\n(they wave)\n(and go)", true},
		{"a third", "Ann: hi\nthey wave\nand go", false},
		{"times before names", "[10:30] Ann: hi\n[10:31] Bob: ho\n2026-04-10 10:32 Ann: so", true},
		{"prose", "It was late.\nHe said: go.\nThen they left: all of them were tired and it was the end of the day.", false},
		{"URLs", "https://a.org\nhttp://b.org\n", false},
		{"Chinese names", "李华: 你好\n王芳: 好", true},
		{"one line", "Ann: hi", false},
		{"keys and values", "title: A Christmas Carol\nauthor: Charles Dickens\nyear: 1843", false},
		{"fields", "FIRST ALERT: 0300Z 28 Mar 2012\nMAX DEPTH: 60 Kts\nLAST ALERT: N/A\nthe end", false},
		{"handles", "@ann: hi\n@bob: ho", true},
	} {
		if got := textproc.IsChat(tc.text); got != tc.want {
			t.Errorf("%s: IsChat = %t, want %t", tc.name, got, tc.want)
		}
	}
}

// Sentences and names see a chat log where IsChat does.
func TestChatLogIsSplitIntoMessages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		speakers   []string
		sentences  []string
	}{
		{"names", chatLog, []string{"LiHua", "Hailey Johnson"}, []string{"Dinner tomorrow?", "Yes!"}},
		{"times before names", "[10:30] Ann: hi there\n2026-04-10 10:32 Bob:  so what", []string{"Ann", "Bob"}, []string{"hi there", "so what"}},
		{"Chinese names", "李华: 你好\n王芳: 好", []string{"李华", "王芳"}, []string{"你好", "好"}},
		{
			"prose with a colon", "Scrooge: he was a hard man.\nHe had never been anything else in his life.\nNobody liked him.", nil,
			[]string{"Scrooge: he was a hard man.", "He had never been anything else in his life.", "Nobody liked him."},
		},
	} {
		r := textproc.Analyze(tc.text)
		if diff := cmp.Diff(tc.speakers, r.Speakers); diff != "" {
			t.Errorf("%s: speakers (-want +got):\n%s", tc.name, diff)
		}
		if want := textproc.IsChat(tc.text); r.Chat != want {
			t.Errorf("%s: Read: chat %t, IsChat: %t", tc.name, r.Chat, want)
		}
		var got []string
		for _, s := range textproc.Sentences(tc.text) {
			got = append(got, tc.text[s.Start:s.End])
		}
		if diff := cmp.Diff(tc.sentences, got); diff != "" {
			t.Errorf("%s: sentences (-want +got):\n%s", tc.name, diff)
		}
	}
}
