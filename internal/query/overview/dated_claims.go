package overview

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
)

// claimsOfEach is how many dated claims are read of each of the entities that most chunks mention.
const claimsOfEach = 100

// datedClaims returns a claim of each of changeSteps periods, by their dates. The periods have equally
// many claims. It returns none if there are fewer claims than periods.
func datedClaims(ctx context.Context, r query.Request) ([]graph.Claim, error) {
	read, err := readDatedClaims(ctx, r.Reader, overviewRead, claimsOfEach)
	if err != nil {
		return nil, err
	}
	said := map[string]bool{}
	read = slices.DeleteFunc(read, func(c graph.Claim) bool {
		known := said[c.Description]
		said[c.Description] = true
		return known || !tellsEvent(c)
	})
	if len(read) < changeSteps {
		return nil, nil
	}
	out := make([]graph.Claim, changeSteps)
	for i := range out {
		period := read[i*len(read)/changeSteps : (i+1)*len(read)/changeSteps]
		most := -1.
		for _, c := range period {
			// A day says more than a year, which may be the year of a book.
			tells := rateSentence(c.Description, []string{c.ClaimRecord.Subject}).tells + .1*float64(min(len(c.StartDate), len("2026-01-02")))
			if tells > most {
				out[i], most = c, tells
			}
		}
	}
	return out, nil
}

// tellsEvent reports whether a claim may be about an event of its date: it is a sentence, not a
// reference to a book or a line of a table.
func tellsEvent(c graph.Claim) bool {
	first, _ := utf8.DecodeRuneInString(c.Description)
	words := strings.Fields(c.Description)
	year, _, _ := strings.Cut(c.StartDate, "-")
	numbers := 0
	for _, w := range words {
		if strings.IndexFunc(w, unicode.IsNumber) >= 0 {
			numbers++
		}
	}
	return unicode.IsUpper(first) && len(words) >= minTelling && len(words) <= maxTelling && numbers*5 <= len(words) &&
		strings.HasSuffix(c.Description, ".") && !strings.Contains(c.Description, "("+year) && !strings.Contains(c.Description, "://")
}

// claimItem is what a claim says, after its date.
func claimItem(c graph.Claim) cite.Item {
	return cite.Item{
		Statement: cite.Statement{Text: c.Description, Title: c.StartDate, Target: graph.Reference{Kind: graph.KindClaim, Key: c.Key}},
		Label:     c.StartDate + ", " + c.ClaimRecord.Subject,
	}
}
