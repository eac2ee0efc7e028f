package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestThemes checks the keywords of a relationship: the verb first, then up to three words
// of the sentence, the rarest in the document first, and no names.
func TestThemes(t *testing.T) {
	t.Parallel()
	often := strings.Repeat(" She looked at the lighthouse.", 3) + strings.Repeat(" She looked at the lantern.", 2)
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"the rarest words":        {"Clara Hale painted Tobias Reed near the lighthouse with a lantern, a ladder and a violin." + often, []string{"painted", "ladder", "violin", "lantern"}},
		"in the order of rarity":  {"Clara Hale painted Tobias Reed near the lighthouse with a lantern and a violin." + often, []string{"painted", "violin", "lantern", "lighthouse"}},
		"fewer words":             {"Clara Hale painted Tobias Reed with the violins." + often, []string{"painted", "violin"}},
		"no word but the verb":    {"Clara Hale painted Tobias Reed in London." + often, []string{"painted"}},
		"names and numbers apart": {"Clara Hale painted Tobias Reed for Edith Vane in Glasgow in 1934 on Monday with a ladder." + often, []string{"painted", "ladder"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range extractText(t, tt.text).Relationships {
				if r.Source == "Clara Hale" && r.Target == "Tobias Reed" {
					if diff := cmp.Diff(tt.want, r.Keywords); diff != "" {
						t.Errorf("keywords (-want +got):\n%s", diff)
					}
					return
				}
			}
			t.Error("no relationship")
		})
	}
}
