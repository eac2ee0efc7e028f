package usercypher

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordedPlans are statements with the tables that Neo4j 5.26 drew of their plans.
// Its plugins were stand-ins with names of APOC.
func recordedPlans(tb testing.TB) map[string][2]string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/plans/*.txt")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no recorded plans: %v", err)
	}
	plans := map[string][2]string{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		statement, table, found := strings.Cut(string(b), "\n-- plan --\n")
		if !found {
			tb.Fatalf("%s has no plan", path)
		}
		plans[strings.TrimSuffix(filepath.Base(path), ".txt")] = [2]string{statement, table}
	}
	return plans
}

// What a statement does that is refused.
const (
	procedureRefused = "procedure apoc."
	functionRefused  = "function apoc."
	loadCSVRefused   = "LOAD CSV"
	endRefused       = "ends transactions"
	commandRefused   = "administration command"
	showRefused      = "SHOW lists only"
)

func TestCheckReadOnlyOnRecordedPlans(t *testing.T) {
	t.Parallel()
	refused := map[string]string{
		"alter_user":   commandRefused,
		"show_users":   showRefused,
		"terminate":    endRefused,
		"load_csv":     loadCSVRefused,
		"clear_caches": "procedure db.clearQueryCaches",

		"load_csv_collect": loadCSVRefused, "load_csv_in_expression": loadCSVRefused, "load_csv_order_by": loadCSVRefused, "load_csv_shortest_path": loadCSVRefused,
		"procedure": procedureRefused, "procedure_without_arguments": procedureRefused, "procedure_wide_alias": procedureRefused,
		"procedure_long_wide_alias": procedureRefused, "procedure_subquery": procedureRefused, "procedure_exists": procedureRefused,
		"procedure_in_expression": procedureRefused, "procedure_in_argument": procedureRefused, "procedure_in_path": procedureRefused,
		"procedure_order_by": procedureRefused, "procedure_of_dbms_mode": procedureRefused, "procedure_optional": procedureRefused,
		"function": functionRefused, "function_in_settings": functionRefused, "function_in_administration": functionRefused, "shortest_path": functionRefused,
	}
	byPlan := map[string]string{"show_users": commandRefused, "function_in_administration": commandRefused, "function_in_settings": showRefused}
	planOnly := map[string]bool{"alter_user": true}
	for name, plan := range recordedPlans(t) {
		statement, table := plan[0], plan[1]
		tokens, err := checkText(statement, "neo4j")
		checkRefusal(t, name+", by its text", err, refused[name], planOnly[name])
		if tokens == nil {
			t.Errorf("%s: no tokens", name)
		}
		checkRefusal(t, name+", by its plan", checkPlan(table), cmp.Or(byPlan[name], refused[name]), false)
	}
}

// checkRefusal compares an error with what must stand in it; nothing means that the
// statement is allowed.
func checkRefusal(t *testing.T, name string, err error, want string, allowed bool) {
	t.Helper()
	if want == "" || allowed {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

func TestCheckPlanRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	const table = `
+-----------------+----+---------+----------------+
| Operator        | Id | Details | Estimated Rows |
+-----------------+----+---------+----------------+
| +ProduceResults |  0 | x       |              1 |
| |               +----+---------+----------------+
| +Projection     |  1 | 1 AS x  |              1 |
+-----------------+----+---------+----------------+
`
	if err := checkPlan(table); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no plan":              "",
		"no table":             "Cypher 5\n\nPlanner COST\n",
		"no rows":              strings.Join(strings.SplitAfter(table, "\n")[:4], "") + "+-----------------+----+---------+----------------+\n",
		"no end":               strings.TrimSuffix(table, "+-----------------+----+---------+----------------+\n"),
		"unknown first column": strings.Replace(table, "Operator", "Operatio", 1),
		"unknown column":       strings.Replace(table, "Details", "Detail ", 1),
		"columns exchanged":    strings.Replace(table, "| Operator        | Id |", "| Id              | Operator |", 1),
		"row out of place":     strings.Replace(table, "1 AS x  |", "1 AS x |", 1),
		"row too long":         strings.Replace(table, "1 AS x  |", "1 AS x   |", 1),
		"row without operator": strings.Replace(table, "+ProduceResults", " ProduceResults", 1),
		"row without id":       strings.Replace(table, "|  1 |", "|    |", 1),
		"line in the table":    strings.Replace(table, "| +Projection", "CALL apoc.load.json()\n| +Projection", 1),
		"second table":         table + table,
		"text as the operator": strings.Replace(table, "+Projection", "xProjection", 1),
	} {
		if err := checkPlan(text); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "cannot") {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}

func TestCheckText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "RETURN 1", "MATCH (n) WHERE n.x = m.y OR (n)-->(m) RETURN n.`a b`.c, n{.x, y: n.x}, [n.x][0..size(n.y)]",
		"RETURN date.truncate('month', date()), DATE . realtime ( ), vector.similarity.cosine([1.0], [1.0]), apoc.text.join(['a'], ','), Coll.sort([1])",
		"CALL db.labels", "CALL db.labels()", "CALL `db`.labels ( ) YIELD label RETURN label", "CALL /* all */ db // of them\n . labels()",
		"WITH {a: 1, csv: 2} AS call, 1 AS load, 2 AS use RETURN call.a, call, use AS load, load AS csv, [call IN [1] | call] AS terminate",
		"MATCH (call:A) WHERE (call)-->() AND call.x IN (CASE WHEN true THEN [1] ELSE [] END) RETURN DISTINCT call AS x",
		`RETURN 'CALL apoc.load.json(1)' AS x, "LOAD CSV \" FROM" AS y, 'it\'s apoc.zero()' AS z`, "RETURN 1 AS `apoc.load.json()`, 2 AS `LOAD CSV`, 3 AS `a``b.c()`",
		"RETURN 1 // LOAD CSV apoc.zero()", "RETURN /* CALL apoc.load.json() */ 1",
		"USE neo4j RETURN 1", "USE `Neo4j` CALL db.labels()", "CYPHER 5 planner=cost EXPLAIN USE neo4j RETURN 1", "RETURN 1 AS x UNION ALL USE neo4j RETURN 2 AS x",
		"RETURN 0x1F AS a, 1e3 AS b, .5 AS c, 1.5 AS d", "RETURN 'é\\u00e9' AS x", "SHOW INDEXES YIELD name WHERE name = 'x' RETURN name",
		"CYPHER 5 SHOW ALL INDEXES", "show /* x */ fulltext index", "SHOW NODE PROPERTY TYPE CONSTRAINTS", "SHOW USER DEFINED FUNCTIONS", "SHOW BUILT IN FUNCTION", "SHOW PROCEDURES EXECUTABLE",
	} {
		if _, err := checkText(text, "neo4j"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"CALL apoc.load.json('http://x/')":                   "procedure apoc.load.json is not on the list of procedures that only read this database: db.",
		"CALL apoc.help":                                     "procedure apoc.help is not",
		"call APOC . /* x */ `load`\n.json ()":               "procedure APOC.load.json is not",
		"CALL `apoc`.`meta`.`schema`() YIELD value":          "procedure apoc.meta.schema is not",
		"CALL db.clearQueryCaches()":                         "procedure db.clearQueryCaches is not",
		"CALL dbms.queryJmx('*:*')":                          "procedure dbms.queryJmx is not",
		"CALL DB.labels()":                                   "procedure DB.labels is not",
		"OPTIONAL CALL gds.graph.drop('g')":                  "procedure gds.graph.drop is not",
		"RETURN [x IN [1] | COUNT { CALL a.b() }]":           "procedure a.b is not",
		"RETURN apoc.cypher.runFirstColumn('x', {})":         "function apoc.cypher.runFirstColumn is not on the list of functions that only compute",
		"RETURN genai.vector.encode('x', 'OpenAI')":          "function genai.vector.encode is not",
		"RETURN {a:apoc.zero()}":                             "function apoc.zero is not",
		"RETURN 1apoc.zero()":                                "function apoc.zero is not",
		"RETURN apoc\u00a0.\x1czero\u2028()":                 "function apoc.zero is not",
		"RETURN 1 // x\r + apoc.zero()":                      "function apoc.zero is not",
		"MATCH (a)-[r:$(apoc.zero())]->(b) RETURN a":         "function apoc.zero is not",
		"SHOW USERS YIELD user WHERE apoc.zero() = 1":        "function apoc.zero is not",
		"LOAD CSV FROM 'file:///etc/passwd' AS l":            loadCSVRefused,
		"WITH 1 AS x LIMIT 0LOAD/**/csv FROM $p AS l":        loadCSVRefused,
		"SHOW TRANSACTIONS YIELD * terminate transactions t": endRefused,
		"SHOW USERS": showRefused, "SHOW CURRENT USER": showRefused, "CYPHER 5 SHOW ALL ROLES": showRefused, "SHOW USER neo4j PRIVILEGES": showRefused,
		"SHOW SETTINGS YIELD name": showRefused, "show/**/transactions": showRefused, "SHOW SERVERS": showRefused, "SHOW DATABASES": showRefused, "SHOW ALIASES FOR DATABASE": showRefused, "SHOW": showRefused, "SHOW ALL": showRefused,
		"USE system SHOW USERS":                       "uses system",
		"CYPHER 5 runtime=slotted USE other RETURN 1": "uses other",
		"CALL () { USE a.`b` RETURN 1 AS x }":         "uses a.b",
		"RETURN 1 AS x UNION USE other RETURN 1 AS x": "uses other",
		"USE graph.byName('other') RETURN 1":          "uses graph.byName",
		`RETURN '\u0027 + apoc.zero() + \u0027'`:      `instead of \u0027`,
		`RETURN \uu0061poc.zero()`:                    `instead of \uu0061`,
		"RETURN 'x":                                   "unterminated string", `RETURN "x\"`: "unterminated string", "RETURN `x``": "unterminated quoted name", "RETURN 1 /* x": "unterminated comment",
	} {
		_, err := checkText(text, "neo4j")
		checkRefusal(t, text, err, want, false)
	}
}

// No text hides what follows it.
func FuzzCheckText(f *testing.F) {
	for _, plan := range recordedPlans(f) {
		f.Add(plan[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := cypherTokens(text); err != nil {
			return
		}
		if _, err := checkText(text+"\nRETURN apoc.zero()", "neo4j"); err == nil {
			t.Errorf("%q hides a function", text)
		}
	})
}
