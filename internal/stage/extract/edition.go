package extract

import (
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/prompts"
)

// FirstEdition is the fingerprint of the same settings in the first edition of prompts and rules,
// which asked for claims in a call that did not show entities, and for yes or no before each
// gleaning. What was extracted so may stay.
func (m *Model) FirstEdition() string {
	names := []string{prompts.Extract, prompts.FormatJSON, prompts.FormatTuples}
	withoutClaims := m.ClaimMode() == ClaimsNone
	if !withoutClaims {
		names = append(names, prompts.Claims, prompts.ClaimsJSON, prompts.ClaimsTuples)
	}
	if m.Rounds() > 0 {
		names = append(names, prompts.GleanAsk, prompts.Glean)
	}
	return graph.Hash(
		"model", "1", llm.Identity(m.Chat), m.Prompts.Fingerprint(names...), strings.Join(m.types(), ","), m.Domain.prompt(false, false, m.Language),
		strconv.Itoa(m.Rounds()), strconv.FormatBool(withoutClaims), string(m.Format),
	)
}
