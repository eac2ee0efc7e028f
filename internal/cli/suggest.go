package cli

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/config"
)

// suggest returns "; did you mean X?" for the name that was probably meant, or a
// pointer to where all are listed.
func suggest(typed string, names []string, list string) string {
	if best := closest(typed, names); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return list
}

// closest returns the name that was probably meant: the last one that begins with
// what was typed, or the closest one within two typing errors; "" if there is none.
func closest(typed string, names []string) string {
	best := ""
	for _, n := range names {
		if strings.HasPrefix(n, typed) || config.Distance(typed, n) <= 2 && (best == "" || config.Distance(typed, n) < config.Distance(typed, best)) {
			best = n
		}
	}
	return best
}
