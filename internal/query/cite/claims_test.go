package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestQuoteClaims: a statement in other words than the text is quoted by the words of the claims
// that the cited sentence of a report rests on, each for what it says, and not for what is quoted
// already.
func TestQuoteClaims(t *testing.T) {
	t.Parallel()
	const (
		invited = "'Don't be angry, uncle. Come! Dine with us to-morrow.'"
		refused = "Scrooge went the whole length of the expression, and said that he would see him in that extremity first."
		wishes  = "So A Merry Christmas, uncle!'\n\n'Good afternoon,' said Scrooge.\n\n'And A Happy New Year!'"
		humbug  = "Scrooge frowned, and shook his head."
		source  = "The stove was cold. " + humbug + " " + invited + "\n\n" + refused + "\n\n'I'll keep my humour to the last. " + wishes + "\n\nThe clerk shut the door."
	)
	chunks := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}
	claim := func(key, text, quote string) neo4jstore.Evidence {
		return neo4jstore.Evidence{Kind: graph.KindClaim, Key: key, Text: text, Quote: quote, Supports: chunks}
	}
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk":   chunkEvidence("c/chunk", source),
		"c/invited": claim("c/invited", "The nephew invited his uncle to dine with him the next day.", invited),
		"c/refused": claim("c/refused", "Scrooge refused the invitation to dinner in strong words.", refused),
		"c/wishes":  claim("c/wishes", "The nephew wished Scrooge a merry Christmas and a happy New Year.", wishes),
		"c/humbug":  claim("c/humbug", "Scrooge declared the feast nonsense.", "Scrooge frowned and shook his old head"),
		"c/report": {
			Kind: graph.KindReport, Key: "c/report",
			Text: "A dinner\n\nThe nephew invited him and was refused in strong words. [1][2] The nephew wished him a happy New Year. [3] The feast was declared nonsense by Scrooge. [4]",
			Supports: []graph.Reference{
				{N: 1, Kind: graph.KindClaim, Key: "c/invited"},
				{N: 2, Kind: graph.KindClaim, Key: "c/refused"},
				{N: 3, Kind: graph.KindClaim, Key: "c/wishes"},
				{N: 4, Kind: graph.KindClaim, Key: "c/humbug"},
			},
		},
	}}
	for _, tc := range []struct {
		name, generated string
		want            []string
	}{
		{"one claim", "The nephew invites him to dine the next day [1.1].", []string{invited}},
		{"two claims", "The nephew invites Scrooge to dine the next day and is refused in strong words [1.1].", []string{invited, refused}},
		{"several sentences", "The nephew wishes him a merry Christmas and a happy New Year [1.2].", []string{wishes}},
		{"changed words", "The feast is declared nonsense [1.3].", []string{humbug}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			records := []Record{{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/report"}, Title: "A dinner"}}
			a := quotedAs(t, g, tc.generated, records, tc.want)
			for _, c := range a.Citations {
				if source[c.Start:c.End] != c.Quote {
					t.Errorf("bytes %d to %d are not %q", c.Start, c.End, c.Quote)
				}
			}
		})
	}
}
