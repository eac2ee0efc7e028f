package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/leiden/edgelist"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/store/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/view/reportbook"
	"github.com/neorag/neorag/prompts"
)

// A userError determines the exit code and tells the user what to do.
type userError struct {
	code    int
	message string
	hint    string
	cause   error
}

func (e *userError) Error() string { return e.message }
func (e *userError) Unwrap() error { return e.cause }

// usage returns an error for wrong usage, which wraps the errors of %w.
func usage(format string, args ...any) error { return usageError(fmt.Errorf(format, args...)) }

// usageError wraps an error so that the exit code shows wrong usage.
func usageError(err error) error {
	return &userError{code: exitUsage, message: err.Error(), cause: err}
}

// failure returns an error with a hint; its cause may be nil.
func failure(cause error, message, hint string) error {
	return &userError{code: exitFailure, message: message, hint: hint, cause: cause}
}

// errorReport is what a command that fails prints with --json.
type errorReport struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Message string `json:"message"`
	Hint    string `json:"hint"` // what to do; may be empty
	Code    int    `json:"code"` // the exit code
}

// describeError returns an error as a user sees it.
func describeError(err error) *userError {
	k := knownOf(err)
	u := &userError{code: exitFailure, message: err.Error()}
	if ue, ok := errors.AsType[*userError](err); ok {
		u = &userError{code: ue.code, message: err.Error(), hint: ue.hint}
	} else if _, ok := errors.AsType[*config.Error](err); ok || k.wrongUsage {
		u.code = exitUsage
	}
	u.message = causeFirst(err, u.message)
	u.hint = cmp.Or(u.hint, k.hint)
	return u
}

// printError prints an error, once, and returns the exit code.
func (env *environment) printError(err error) int {
	u := describeError(err)
	if env.json || wantsJSON(env.Args) {
		if line, err := json.Marshal(errorReport{errorBody{env.withoutFolders(u.message), env.withoutFolders(u.hint), u.code}}); err == nil { // it holds only texts
			_, _ = env.Stderr.Write(append(sanitize.JSON(line), '\n')) // no other place to report it
		}
		return u.code
	}
	if env.logsJSON() {
		env.logFailure(u)
		return u.code
	}
	fmt.Fprintln(env.messages(), "neorag: "+u.message)
	if u.hint != "" {
		fmt.Fprintln(env.messages(), "  "+u.hint)
	}
	return u.code
}

// A knownError is an error of another package of which a command knows more than its text.
type knownError struct {
	error

	wrongUsage bool
	hint       string // what to do
}

// knownErrors are looked up in their order.
var knownErrors = []knownError{
	{neo4jstore.ErrUnreachable, false, "start a local server with `neorag up`, or set NEO4J_URI"},
	{query.ErrNoModel, true, "set a model with --base-url and --model (settings models.chat.base_url and models.chat.model), or ask with --method fused"},
	{neo4jstore.ErrDiskFull, false, freeDisk},
	{neo4jstore.ErrStopped, false, freeDisk},
	{localneo4j.ErrNoSpace, false, ""}, // its text says what to do
	{syscall.ENOSPC, false, "free some disk space, then run the same command again"},
	{neo4jstore.ErrDatabase, false, "name another one (NEO4J_DATABASE, --neo4j-database, or neo4j.database in the settings), or none to use the home database of the user"},
	{neo4jstore.ErrReadOnly, false, makeWritable},
	{neo4jstore.ErrUnauthorized, false, "set NEO4J_USERNAME and NEO4J_PASSWORD; after three failed attempts Neo4j refuses logins for five seconds"},
	{neo4jstore.ErrNoCorpus, false, "`neorag status` lists the corpora; `neorag index PATH` creates one"},
	{neo4jstore.ErrLeaseLost, false, "wait for the other run to end, then run the same command again: it continues where it stopped"},
	{neo4jstore.ErrCancelled, false, "a client of `neorag serve` did that; run the same command again: it continues where it stopped"},
	{neo4jstore.ErrLeased, false, "wait for the other run to end, or use another --corpus"},
	{usercypher.ErrReadOnly, true, "use Neo4j Browser or cypher-shell to change data"},
	{usercypher.ErrStatement, true, ""},
	{usercypher.ErrFailed, false, "leave out the values that it fails on, for example with WHERE"},
	{usercypher.ErrServer, false, "compute or return less; the logs of Neo4j show the cause"},
	{localneo4j.ErrNotRunning, false, "start it with `neorag up`"},
	{index.ErrOtherMode, false, "pass --yes to continue, use another --corpus, or pass the flags that the corpus was indexed with"},
	{index.ErrArtifactsGone, false, "pass --yes to delete it, or index without that flag or setting"},
	{index.ErrManyGone, false, "check that the folder is complete; pass --yes to remove them"},
	{index.ErrOtherEmbedder, false, "pass --again to re-embed everything, or choose the embedding model of the corpus"},
	{index.ErrNoName, false, "`neorag entities` lists all names"},
	{index.ErrNoDocument, false, "references of answers name documents as the corpus does; `neorag remove --glob '**' --dry-run` lists all, and with --readmit the excluded ones"},
	{index.ErrOtherSettings, false, "give the flags or the neorag.yaml that the corpus was indexed with, or run `neorag index` first"},
	{index.ErrPrefix, true, ""},
	{source.ErrNoInput, false, "supported are text, Markdown, HTML, PDF, Word (.docx), CSV and JSON files; a file of another kind is read as text if it is named itself"},
	{query.ErrUnknownMethod, true, "`neorag methods` describes each method"},
	{query.ErrUnknownPath, true, ""},
	{query.ErrNoContext, true, ""},
	{query.ErrNoVectors, true, ""},
	{query.ErrFilter, true, ""},
	{eval.ErrQuestions, true, ""},
	{score.ErrNoKnownAnswers, true, ""},
	{evalreport.ErrNoCondition, true, ""},
	{evalrun.ErrNoRun, true, ""},
	{evalrun.ErrInUse, false, "wait for the other command to end, or name another folder with --run"},
	{leiden.ErrOptions, true, ""},
	{edgelist.ErrLine, false, "correct the line, or skip bad lines with --skip-bad"},
	{usergraph.ErrRow, false, "correct the graph or the flags; --skip-bad skips rows that are not edges"},
	{reportbook.ErrNoReports, false, "`neorag index PATH` writes them, unless it runs with --without reports"},
	{prompts.ErrExists, false, "--overwrite replaces them, or name another folder"},
}

const freeDisk = "stop Neo4j (a local one with `neorag down`), free disk space, start it again (`neorag up`), then run the same command again: it continues where it stopped"

const makeWritable = "make it writable (in neo4j.conf server.databases.default_to_read_only, server.databases.read_only, or with ALTER DATABASE), or use another one (NEO4J_DATABASE, NEO4J_URI)"

// knownOf returns what a command knows of an error, the zero value if that is nothing.
func knownOf(err error) knownError {
	for _, k := range knownErrors {
		if errors.Is(err, k.error) {
			return k
		}
	}
	return knownError{}
}

// serverConditions are conditions of the server that no command can change. It does not matter
// which statement met them.
var serverConditions = []error{neo4jstore.ErrReadOnly, neo4jstore.ErrForbidden, neo4jstore.ErrMemory, neo4jstore.ErrDiskFull, neo4jstore.ErrStopped}

// causeFirst returns the message of an error. A condition of the server begins it, and what the
// program did then ends it.
func causeFirst(err error, message string) string {
	for _, condition := range serverConditions {
		if !errors.Is(err, condition) {
			continue
		}
		did, rest, ok := strings.Cut(message, ": "+condition.Error())
		if ok {
			return condition.Error() + rest + " (" + did + ")"
		}
	}
	return message
}

// wantsJSON reports whether the arguments ask for JSON, also when they cannot be
// parsed.
func wantsJSON(args []string) bool {
	for _, a := range args {
		if a == "--json" || a == "-json" || strings.HasPrefix(a, "--json=") && a != "--json=false" {
			return true
		}
		if a == "--" {
			return false
		}
	}
	return false
}

// Exit codes. README.md lists them for users.
const (
	exitOK          = 0
	exitFailure     = 1 // also if a command that compares or checks found something worse or broken
	exitUsage       = 2 // wrong arguments or settings
	exitFailedParts = index.ExitFailedParts
	exitInterrupted = 130 // by a signal
)
