package score

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// ClaimScores are the claims of the answers of an evaluation (GraphRAG, tables 3 and 4).
type ClaimScores struct {
	Extractor  string            `json:"extractor"` // the model and its prompt, or rules
	Conditions []ConditionClaims `json:"conditions"`
	Agreement  []Agreement       `json:"agreement"` // with the judgements of the folder; empty without any
}

// ConditionClaims are the claims of the answers of one condition.
type ConditionClaims struct {
	Condition string         `json:"condition"` // method and settings; with the beginning of its key if several have the same name
	Key       string         `json:"key"`       // of the condition in the folder
	Answers   int            `json:"answers"`   // whose claims were extracted
	Failed    int            `json:"failed"`    // answers or extractions, which count as no claim
	Claims    stats.Interval `json:"claims"`    // claims of an answer, mean: comprehensiveness, with its 95 % interval
	Clusters  []ClusterCount `json:"clusters"`  // of the claims of an answer: diversity
}

// A ClusterCount is the mean number of clusters of claims at most Threshold apart.
type ClusterCount struct {
	Threshold float64 `json:"threshold"` // distance up to which clusters are merged, of 1 - ROUGE-L

	stats.Interval
}

// Claims counts the claims of an extractor and their clusters, and compares them with the
// judgements of the evaluation.
func Claims(f *evalrun.Folder, extractor string) ClaimScores {
	r := Read(f)
	out := ClaimScores{Extractor: extractor, Conditions: []ConditionClaims{}, Agreement: []Agreement{}}
	var keys []string
	var counts [][]Counts
	for _, c := range r.conditions() {
		own := r.ClaimCounts(c.key, extractor)
		keys, counts = append(keys, c.key), append(counts, own)
		line := SumClaims(own)
		line.Condition, line.Key = c.name, c.key
		out.Conditions = append(out.Conditions, line)
	}
	out.Agreement = append(out.Agreement, r.ClaimAgreements(keys, counts)...)
	return out
}

// SumClaims returns the figures of a condition from the claims of its answers.
func SumClaims(counts []Counts) (c ConditionClaims) {
	var claims []float64
	var clusters [len(claimset.Thresholds)][]float64
	for _, n := range counts {
		switch n.State {
		case StateMade:
			c.Answers++
		case StateFailed:
			c.Failed++
		default:
			continue
		}
		claims = append(claims, float64(n.Claims))
		for i, k := range n.Clusters {
			clusters[i] = append(clusters[i], float64(k))
		}
	}
	c.Claims = stats.Bootstrap(claims)
	for i, threshold := range claimset.Thresholds {
		c.Clusters = append(c.Clusters, ClusterCount{threshold, stats.Bootstrap(clusters[i])})
	}
	return c
}

// Table returns the figures as Markdown tables.
func (s ClaimScores) Table() string {
	var b strings.Builder
	b.WriteString("| condition | answers | failed | claims |")
	for _, threshold := range claimset.Thresholds {
		fmt.Fprintf(&b, " clusters %.1f |", threshold)
	}
	b.WriteString("\n|---|---:|---:|---:|" + strings.Repeat("---:|", len(claimset.Thresholds)) + "\n")
	for _, c := range s.Conditions {
		fmt.Fprintf(&b, "| %s | %d | %d | %s |", cell(c.Condition), c.Answers, c.Failed, count(c.Claims))
		for _, n := range c.Clusters {
			fmt.Fprintf(&b, " %s |", count(n.Interval))
		}
		b.WriteString("\n")
	}
	if len(s.Agreement) == 0 {
		return b.String()
	}
	b.WriteString("\n| judge | criterion | by | pairs | with a majority | equal counts | agreement |\n|---|---|---|---:|---:|---:|---:|\n")
	for _, a := range s.Agreement {
		by := "claims"
		if a.Threshold > 0 {
			by = fmt.Sprintf("clusters %.1f", a.Threshold)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %s |\n", cell(a.Judge), cell(a.Criterion), by, a.Pairs, a.Labelled, a.Equal, percent(a.Agreed))
	}
	return b.String()
}

// cell returns a text for a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "/") }

// count shows a mean number.
func count(i stats.Interval) string { return fmt.Sprintf("%.2f (%.2f to %.2f)", i.Mean, i.Low, i.High) }

// percent shows a share.
func percent(i stats.Interval) string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", 100*i.Mean, 100*i.Low, 100*i.High)
}
