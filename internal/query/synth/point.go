package synth

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/stage/report"
)

// A point is what a map call found. Its text cites [n] in the sequence of one answer.
type point struct {
	text  string
	score float64
}

// parsePoints reads the list of points of a model's answer. Unknown fields are
// ignored, and scores may be quoted.
func parsePoints(answer string) ([]point, error) {
	var raw struct {
		Points []struct {
			Description string          `json:"description"`
			Score       json.RawMessage `json:"score"`
		} `json:"points"`
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the points are not of the form asked for: %w", err)
	}
	points := make([]point, 0, len(raw.Points))
	for _, p := range raw.Points {
		score, err := ParseScore(p.Score)
		if err != nil {
			return nil, err
		}
		points = append(points, point{strings.TrimSpace(p.Description), score})
	}
	return points, nil
}

// ParseScore reads a score from 0 to 100 as models write it: a number, a quoted
// number or a percentage.
func ParseScore(raw json.RawMessage) (float64, error) {
	score, err := strconv.ParseFloat(strings.Trim(string(raw), `" %`), 64)
	if err != nil || math.IsNaN(score) {
		return 0, fmt.Errorf("the score %s is not a number", raw)
	}
	return min(max(score, 0), 100), nil
}

// checkPoints returns the points of an answer that help, with their citations
// checked against those offered. Of more than most points, unless that is 0, those with the highest
// scores are returned. removed counts citations that were not offered.
func checkPoints(answer string, offered map[report.Local]string, numbers *report.Numbers, most int) (points []point, removed int) {
	parsed, err := parsePoints(answer)
	if err != nil {
		return nil, 0 // a model's answer was validated before
	}
	if most > 0 && len(parsed) > most {
		slices.SortStableFunc(parsed, func(a, b point) int { return cmp.Compare(b.score, a.score) })
		parsed = parsed[:most]
	}
	for _, p := range parsed {
		if p.score <= 0 || p.text == "" {
			continue
		}
		checked, bad := report.CheckSentences(p.text, offered, numbers)
		removed += bad
		if checked != "" {
			points = append(points, point{checked, p.score})
		}
	}
	return points, removed
}
