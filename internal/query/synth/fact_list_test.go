package synth

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const terms = `# Terms of the harbour office

## Using the terms

Send corrections of a berth to the office.

### Berth

A berth is a place at a quay where one ship can moor. Each berth has a number.

### Pilot

Guides ships through the fairway.

Sounding

The measure of a depth by a rope.

## Why we publish early

Publishing early has three advantages:

- captains can plan a week ahead;
- the shifts of the pilots are fixed in time;
- fewer ships wait at the outer buoy.

## Installing the tables

You need a shell. Run this:

` + "```sh\n./tides --port kiel\n```" + `

## 1.2.0 - 2026-04-01

- Add the table of currents to all ports

## The office

The office founded the tide service in 1921. Its first head was Karl Witt, who led it until 1934; Anna Berg has led it since 2019.
`

// TestAnswersOfDocumentation checks the lines of answers from text with headings, lists and code.
func TestAnswersOfDocumentation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question string
		lines    []string // nil for none
	}{
		{"What is a berth?", []string{"A berth is a place at a quay where one ship can moor.", "Each berth has a number."}},
		{"What is a pilot?", []string{"Guides ships through the fairway."}},
		{"What does sounding mean?", []string{"The measure of a depth by a rope."}},
		{"Why do we publish early?", []string{
			"Publishing early has three advantages:", "captains can plan a week ahead;", "the shifts of the pilots are fixed in time;", "fewer ships wait at the outer buoy.",
		}},
		{"How do I install the tables?", []string{"You need a shell.", "Run this:", "`./tides --port kiel`"}},
		{"When was the table of currents added?", []string{"1.2.0 - 2026-04-01: Add the table of currents to all ports"}},
		{"Who leads the tide service now?", []string{"Its first head was Karl Witt, who led it until 1934; Anna Berg has led it since 2019.", "The office founded the tide service in 1921."}},
		{"Who is the mayor of the office?", nil},
		{"How long is the quay?", nil},
		{"What changed in 3.4?", nil},
	} {
		blocks := chunkBlocks(terms)
		blocks[0].Chunk.Place.Headings, blocks[0].Chunk.Place.HeadingStarts = headingsOf(terms)
		d, err := Extractive{}.Answer(context.Background(), Request{Question: tt.question, AnswerTokens: 400}, blocks)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range d.Items {
			got = append(got, i.Text)
		}
		if diff := cmp.Diff(tt.lines, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.question, diff)
		}
	}
}

// headingsOf returns the headings of a text in Markdown, with their places.
func headingsOf(text string) (headings []string, starts []int) {
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			headings, starts = append(headings, "Terms > "+strings.Trim(line, "# \n")), append(starts, at)
		}
		at += len(line)
	}
	return headings, starts
}
