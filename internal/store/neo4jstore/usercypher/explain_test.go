package usercypher

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestExplainText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"RETURN 1":           "EXPLAIN\nRETURN 1",
		"  PROFILE RETURN 1": "EXPLAIN\nRETURN 1",
		"explain\nRETURN 1":  "EXPLAIN\nRETURN 1",
		"CYPHER 5 RETURN 1":  "CYPHER 5 EXPLAIN\nRETURN 1",
		"CYPHER 5 runtime=slotted EXPLAIN RETURN 1": "CYPHER 5 runtime=slotted EXPLAIN\nRETURN 1",
		"// c\nPROFILE RETURN 1":                    "EXPLAIN\n// c\nPROFILE RETURN 1", // which the server refuses
	} {
		if got := explainText(text); got != want {
			t.Errorf("explainText(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestParsePlanTable(t *testing.T) {
	t.Parallel()
	plans := recordedPlans(t)
	for name, want := range map[string][]PlanStep{
		"cartesian_product": {
			{Operator: "ProduceResults", Details: "a, b", Rows: 100},
			{Operator: "CartesianProduct", Rows: 100},
			{Depth: 1, Operator: "NodeByLabelScan", Details: "b:B", Rows: 100},
			{Operator: "NodeByLabelScan", Details: "a:A", Rows: 10},
		},
		"long_details": {
			{Operator: "ProduceResults", Details: "`n.name`, `n.description`"},
			{Operator: "Projection", Details: "cache[n.name] AS `n.name`, cache[n.description] AS `n.description`"},
			{Operator: "Filter", Details: "n.corpus = $autostring_0 AND (n.degree > $autoint_3 OR n.rank < $autoint_4) AND (cache[n.name] CONTAINS $autostring_1 AND cache[n.description] CONTAINS $autostring_2)"},
			{Operator: "NodeByLabelScan", Details: "n:Entity", Rows: 10},
		},
		"forged_row": {
			{Operator: "ProduceResults", Details: "`1`", Rows: 10},
			{Operator: "Projection", Details: "$autoint_0 AS `1`", Rows: 10},
			{Operator: "NodeByLabelScan", Details: "`a | +Evil         | 5 | x |`:A", Rows: 10},
		},
		"procedure_wide_alias": {
			{Operator: "ProduceResults", Details: "`😀`", Rows: 10},
			{Operator: "ProcedureCall", Details: "apoc.load.json($autostring_0) :: (`😀` :: ANY)", Rows: 10},
		},
		"show_users": {{Operator: "AdministrationCommand"}},
		"finish":     {{Operator: "ProduceResults", Rows: 1}, {Operator: "EmptyResult", Rows: 1}},
	} {
		got, err := parsePlanTable(plans[name][1])
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

var beginsStep = regexp.MustCompile(`(?m)^\| (\| )*\+`)

// No operator of a table gets lost: it is read as a whole or not at all.
func FuzzParsePlanTable(f *testing.F) {
	for _, plan := range recordedPlans(f) {
		f.Add(plan[1])
	}
	f.Fuzz(func(t *testing.T, table string) {
		steps, err := parsePlanTable(table)
		if err != nil {
			if steps != nil {
				t.Errorf("steps %v and %v", steps, err)
			}
			return
		}
		if begun := len(beginsStep.FindAllString(table, -1)); len(steps) == 0 || len(steps) != begun {
			t.Errorf("%d steps of %d in\n%s", len(steps), begun, table)
		}
		for _, step := range steps {
			if step.Operator == "" || step.Depth < 0 {
				t.Errorf("%+v in\n%s", step, table)
			}
		}
	})
}

// Whatever stands in the details, they are read as they were drawn.
func TestParsePlanTableReadsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "steps")
		var want []PlanStep
		for i := range n {
			details := rapid.StringOfN(rapid.RuneFrom([]rune("ab.(|+- `😀é日\\'\"")), 0, 250, -1).Draw(t, "details")
			want = append(want, PlanStep{
				Depth: rapid.IntRange(0, 3).Draw(t, "depth"), Operator: rapid.StringMatching(`[A-Z][a-z]{1,9}(\([A-Z][a-z]+\))?`).Draw(t, "operator"),
				Details: strings.TrimSpace(details), Rows: float64(i),
			})
		}
		got, err := parsePlanTable(drawPlan(want))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want { // blanks at the end of a line are not kept
			want[i].Details, got[i].Details = noBlanks(want[i].Details), noBlanks(got[i].Details)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, drawPlan(want))
		}
	})
}

func noBlanks(text string) string { return strings.ReplaceAll(text, " ", "") }

// drawPlan draws a table as the server does, with lines of 100 UTF-16 units in the
// column of details.
func drawPlan(steps []PlanStep) string {
	rows := [][]string{{"Operator", "Id", "Details", "Estimated Rows"}}
	begins := []bool{true}
	for i, step := range steps {
		units := utf16.Encode([]rune(step.Details))
		tree := strings.Repeat("| ", step.Depth)
		for first := true; first || len(units) > 0; first = false {
			end := min(100, len(units))
			if end < len(units) && utf16.IsSurrogate(rune(units[end])) && utf16.IsSurrogate(rune(units[end-1])) {
				end-- // the server cuts these in halves, which cannot be compared
			}
			row := []string{tree + "|", "", string(utf16.Decode(units[:end])), ""}
			if first {
				row[0], row[1], row[3] = tree+"+"+step.Operator, strconv.Itoa(i), strconv.Itoa(i)
			}
			rows, begins = append(rows, row), append(begins, first)
			units = units[end:]
		}
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(utf16.Encode([]rune(cell))))
		}
	}
	line := func(cells []string, first, fill, last string) string {
		parts := make([]string, len(cells))
		for i, cell := range cells {
			parts[i] = fill + cell + strings.Repeat(fill, widths[i]-len(utf16.Encode([]rune(cell)))+1)
		}
		return first + strings.Join(parts, last) + last
	}
	border := line([]string{"", "", "", ""}, "+", "-", "+")
	lines := []string{"Cypher 5", "", border}
	for i, row := range rows {
		if i > 1 && begins[i] {
			lines = append(lines, "|"+strings.Repeat(" ", widths[0]+2)+border[widths[0]+3:])
		}
		if lines = append(lines, line(row, "|", " ", "|")); i == 0 {
			lines = append(lines, border)
		}
	}
	return strings.Join(slices.Concat(lines, []string{border, "", fmt.Sprintf("Total database accesses: ?, %d rows", len(steps))}), "\n")
}
