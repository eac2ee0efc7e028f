package evalreport

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/eval/stats"
	"github.com/neorag/neorag/internal/text"
)

// number formats a number with a comma between thousands.
func number(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	whole, rest, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return sign + whole + rest
}

// percent formats a share as a percentage.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// percentInterval formats a share with its interval.
func percentInterval(i stats.Interval) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*i.Mean, 100*i.Low, 100*i.High)
}

// interval formats a figure with its interval.
func interval(i stats.Interval, decimals int) string {
	return fmt.Sprintf("%.*f (%.*f to %.*f)", decimals, i.Mean, decimals, i.Low, decimals, i.High)
}

// pValue formats a p-value as the papers do.
func pValue(p float64) string {
	if p < .001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// significant is the level below which a corrected p-value is significant.
const significant = .05

// counted returns a sentence on a number of things, "" for none.
func counted(n int, one, many string) string {
	if n == 0 {
		return ""
	}
	return text.Count(n, one, many)
}

// notEmpty removes empty notes.
func notEmpty(notes ...string) []string {
	var out []string
	for _, n := range notes {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}
