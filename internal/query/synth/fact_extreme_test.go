package synth

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fleet = `# The fleet

| Ship | Length | Built | Captain |
|:---|---|---|---|
| Heron | 18 m | 1998 | Nora Beck |
| Sea Otter | 1,042 m | 2004 | Piet Maas |
| Plover | 9.5 m | 2019 | Lea Roth |

The Heron carries passengers. Fees rise, since the insurance is dearer.

Boats of the club: Anna, 3 seats. Last week the crew chose a flag.
`

const changes = `# Changelog

## 2.4.1 - 2025-11-03

- Fixed the export of empty tables.

## 2.10.0 - 2026-02-20

- Added the dark theme.
- Removed the old one.

## 1.9.2 - 2024-06-01

- First public release.
`

// sectionBlock returns a chunk as a block with the headings of its Markdown.
func sectionBlock(title, text string) Block {
	b := chunkBlocks(text)[0]
	b.Title = title
	at := 0
	for line := range strings.Lines(text) {
		if name, found := strings.CutPrefix(line, "## "); found {
			b.Chunk.Place.Headings, b.Chunk.Place.HeadingStarts = append(b.Chunk.Place.Headings, "Changelog > "+strings.TrimSpace(name)), append(b.Chunk.Place.HeadingStarts, at)
		}
		at += len(line)
	}
	return b
}

// TestAnswerExtreme compares rows of a table, and versions.
func TestAnswerExtreme(t *testing.T) {
	t.Parallel()
	heron, otter, plover := "Ship: Heron, Length: 18 m, Built: 1998, Captain: Nora Beck", "Ship: Sea Otter, Length: 1,042 m, Built: 2004, Captain: Piet Maas", "Ship: Plover, Length: 9.5 m, Built: 2019, Captain: Lea Roth"
	for question, want := range map[string][]string{
		"Which ship is the longest?":           {otter},
		"What is the shortest ship?":           {plover},
		"Which ship is the oldest?":            {heron},
		"Which is the newest ship?":            {plover},
		"Which ship has the greatest length?":  {otter},
		"Which ship has the least length?":     {plover},
		"Who is the captain of the Sea Otter?": {otter},
		"Which castle is the largest?":         nil,
		"What is the latest version?":          {"2.10.0 - 2026-02-20: Added the dark theme.", "Removed the old one."},
		"What was the first version?":          {"1.9.2 - 2024-06-01: First public release."},
		"When was the latest release?":         {"2.10.0 - 2026-02-20: Added the dark theme.", "Removed the old one."},
	} {
		var got []string
		for _, s := range answerFact(Request{Question: question, AnswerTokens: 400}, []Block{sectionBlock("The fleet", fleet), sectionBlock("Changelog", changes)}) {
			got = append(got, s.Text)
		}
		if len(want) == 1 {
			got = got[:min(1, len(got))]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

// TestRelativeTimes expects that yesterday is a day only if that of the text is known.
func TestRelativeTimes(t *testing.T) {
	t.Parallel()
	text := "The board met in the hall. Yesterday Tom Vale presented the accounts. Next week Ines visits the yard. The pier was built on 3 May 1998."
	for _, tt := range []struct{ title, question, first, bold string }{
		{"Minutes (2026-03-01)", "When did Tom Vale present the accounts?", "Yesterday Tom Vale presented the accounts. (Yesterday: 2026-02-28)", "2026-02-28"},
		{"Minutes (2026-03-01)", "When does Ines visit the yard?", "Next week Ines visits the yard. (written on 2026-03-01)", "Next week"},
		{"Minutes", "When did Tom Vale present the accounts?", "Yesterday Tom Vale presented the accounts.", ""},
		{"Minutes (2026-03-01)", "When was the pier built?", "The pier was built on 3 May 1998.", "3 May 1998"},
	} {
		block := chunkBlocks(text)[0]
		block.Title = tt.title
		block.split = textBlock(block.Kind, block.Key, tt.title, text, 1).split
		d, err := Extractive{}.Answer(context.Background(), Request{Question: tt.question, AnswerTokens: 400}, []Block{block})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Items) == 0 || d.Items[0].Text != tt.first || d.Items[0].Bold != tt.bold {
			t.Errorf("%s: %s\ngot %+v\nwant %q with %q in bold", tt.title, tt.question, d.Items, tt.first, tt.bold)
		}
	}
}
