package usercypher

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// readProcedures are the procedures that only read this database. Excluded are those
// that read settings, connections or beans of the server, wait, sample, or collect
// statistics, and all procedures of plugins.
var readProcedures = []string{
	"db.index.fulltext.listAvailableAnalyzers", "db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships",
	"db.index.vector.queryNodes", "db.index.vector.queryRelationships",
	"db.info", "db.labels", "db.ping", "db.propertyKeys", "db.relationshipTypes",
	"db.schema.nodeTypeProperties", "db.schema.relTypeProperties", "db.schema.visualization",
	"dbms.components",
}

// pureNamespaces are the namespaces of functions that compute on values, or read the
// graph that the statement reads: functions of the server, then of APOC and GDS.
// Excluded are functions that run a statement (apoc.cypher), open an address
// (genai.vector), read files (apoc.static, apoc.load) or store something in the server
// (gds.graph). Functions without a namespace all belong to the server.
var pureNamespaces = []string{
	"coll", "date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector.similarity",
	"apoc.agg", "apoc.any", "apoc.bitwise", "apoc.coll", "apoc.convert", "apoc.data", "apoc.date", "apoc.diff", "apoc.hashing", "apoc.json",
	"apoc.label", "apoc.map", "apoc.math", "apoc.node", "apoc.nodes", "apoc.number", "apoc.path", "apoc.rel", "apoc.scoring", "apoc.temporal",
	"apoc.text", "apoc.util", "gds.similarity", "gds.util",
}

// shown are what SHOW may list: what this database has, and procedures and functions. Excluded
// are users, roles, privileges, settings, servers, other databases, and transactions, which
// have statements of other users.
var shown = []string{"INDEX", "INDEXES", "CONSTRAINT", "CONSTRAINTS", "PROCEDURE", "PROCEDURES", "FUNCTION", "FUNCTIONS"}

// shownBy are the operators of plans that list what is shown.
var shownBy = []string{"ShowIndexes", "ShowConstraints", "ShowProcedures", "ShowFunctions"}

// shownKinds are the words between SHOW and what it lists.
var shownKinds = []string{
	"ALL", "FULLTEXT", "LOOKUP", "POINT", "RANGE", "TEXT", "VECTOR", "NODE", "REL", "RELATIONSHIP", "PROPERTY", "TYPE", "KEY",
	"UNIQUE", "UNIQUENESS", "EXIST", "EXISTENCE", "BUILT", "IN", "USER", "DEFINED",
}

// Check returns an ErrReadOnly for what the read mode of the server allows
// besides reading this database: procedures and functions that are not on a list, LOAD
// CSV, ending transactions, and other databases. It checks the text of the statement and
// its plan, because neither is enough: the plan of an administration command does not
// show its expressions, and the server might split a text into tokens in another way. A
// text or plan that cannot be read is refused.
func Check(ctx context.Context, run RunFunc, database string, q Query) error {
	if _, err := checkText(q.Text, database); err != nil {
		return err
	}
	table, err := explainTable(ctx, run, q)
	if err != nil {
		return err
	}
	return checkPlan(table)
}

// checkText checks the text of a statement, and returns its tokens.
func checkText(text, database string) ([]cypherToken, error) {
	tokens, err := cypherTokens(text)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot check the statement: %w", ErrReadOnly, err)
	}
	for _, name := range usedGraphs(tokens) {
		if !strings.EqualFold(name, database) {
			return nil, fmt.Errorf("%w, and only the database %s: the statement uses %s", ErrReadOnly, database, name)
		}
	}
	return tokens, checkTokens(tokens)
}

// checkPlan checks the table of the plan of a statement.
func checkPlan(table string) error {
	steps, err := parsePlanTable(table)
	if err != nil {
		return fmt.Errorf("%w: cannot check the statement: its plan cannot be read: %w", ErrReadOnly, err)
	}
	for _, step := range steps {
		if err := checkStep(step); err != nil {
			return err
		}
	}
	return nil
}

// checkTokens checks a statement, or an expression of its plan.
func checkTokens(tokens []cypherToken) error {
	if hasWords(tokens, "LOAD", "CSV") {
		return errLoadCSV
	}
	if hasWords(tokens, "TERMINATE", "TRANSACTION", "TRANSACTIONS") {
		return errTerminate
	}
	for _, call := range cypherCalls(tokens) {
		if call.procedure {
			if err := checkProcedure(call.name); err != nil {
				return err
			}
			continue
		}
		if err := checkFunction(call.name); err != nil {
			return err
		}
	}
	return checkShow(cypherBody(tokens))
}

// checkShow checks what a statement that begins with SHOW lists. The plan has every SHOW.
func checkShow(body []cypherToken) error {
	if len(body) == 0 || !body[0].is("SHOW") {
		return nil
	}
	what := slices.IndexFunc(body[1:], func(t cypherToken) bool { return !t.is(shownKinds...) })
	if what < 0 || !body[1+what].is(shown...) {
		return errShow
	}
	return nil
}

// checkStep checks an operator of the plan of a statement.
func checkStep(step PlanStep) error {
	switch operator := step.Operator; {
	case strings.Contains(operator, "TerminateTransaction"):
		return errTerminate
	case strings.Contains(operator, "LoadCSV"):
		return errLoadCSV
	case strings.Contains(operator, "RunQueryAt"):
		return fmt.Errorf("%w, and only this database: the statement uses another one", ErrReadOnly)
	case strings.Contains(operator, "AdministrationCommand"):
		return fmt.Errorf("%w: the statement is an administration command", ErrReadOnly)
	case strings.HasPrefix(operator, "Show") && !slices.Contains(shownBy, operator):
		return errShow
	case strings.Contains(operator, "ProcedureCall"):
		name, _, _ := strings.Cut(step.Details, "(")
		if err := checkProcedure(name); err != nil {
			return err
		}
		step.Details = step.Details[len(name):]
	}
	tokens, err := cypherTokens(step.Details)
	if err != nil {
		return fmt.Errorf("%w: cannot check the statement: in its plan %w", ErrReadOnly, err)
	}
	return checkTokens(tokens)
}

var (
	errTerminate = fmt.Errorf("%w: the statement ends transactions", ErrReadOnly)
	errShow      = fmt.Errorf("%w, and only this database: SHOW lists only INDEXES, CONSTRAINTS, PROCEDURES and FUNCTIONS", ErrReadOnly)
	errLoadCSV   = fmt.Errorf("%w, and only this database: LOAD CSV has the server read a file or an address", ErrReadOnly)
)

func checkProcedure(name string) error {
	if slices.Contains(readProcedures, name) {
		return nil
	}
	return fmt.Errorf("%w: procedure %s is not on the list of procedures that only read this database: %s", ErrReadOnly, name, strings.Join(readProcedures, ", "))
}

func checkFunction(name string) error {
	lower := strings.ToLower(name)
	if space := lower[:max(0, strings.LastIndexByte(lower, '.'))]; slices.Contains(pureNamespaces, space) {
		return nil
	}
	return fmt.Errorf("%w: function %s is not on the list of functions that only compute, in the namespaces %s", ErrReadOnly, name, strings.Join(pureNamespaces, ", "))
}
