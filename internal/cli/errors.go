package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/sanitize"
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

// usage returns an error for wrong usage.
func usage(format string, args ...any) error {
	return &userError{code: exitUsage, message: fmt.Sprintf(format, args...)}
}

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

// printError prints an error, once, and returns the exit code.
func (env *environment) printError(err error) int {
	u := &userError{code: exitFailure, message: err.Error()}
	if ue, ok := errors.AsType[*userError](err); ok {
		u = &userError{code: ue.code, message: err.Error(), hint: ue.hint}
	} else if _, ok := errors.AsType[*config.Error](err); ok {
		u.code = exitUsage
	}
	if u.hint == "" {
		u.hint = hintFor(err)
	}
	if env.json || wantsJSON(env.Args) {
		if line, err := json.Marshal(errorReport{errorBody{env.withoutFolders(u.message), env.withoutFolders(u.hint), u.code}}); err == nil { // it holds only texts
			_, _ = env.Stderr.Write(append(sanitize.JSON(line), '\n')) // no other place to report it
		}
		return u.code
	}
	fmt.Fprintln(env.messages(), "neorag: "+u.message)
	if u.hint != "" {
		fmt.Fprintln(env.messages(), "  "+u.hint)
	}
	return u.code
}

// hintFor returns what to do about the sentinel errors of other packages, "" for
// any other error.
func hintFor(err error) string {
	switch {
	case errors.Is(err, neo4jstore.ErrUnreachable):
		return "start a local server with `neorag up`, or set NEO4J_URI"
	case errors.Is(err, query.ErrNoModel):
		return "set a model with --base-url and --model (settings models.chat.base_url and models.chat.model), or ask with --method fused"
	case errors.Is(err, neo4jstore.ErrDiskFull), errors.Is(err, neo4jstore.ErrStopped):
		return "stop Neo4j (a local one with `neorag down`), free disk space, start it again (`neorag up`), then run the same command again: it continues where it stopped"
	case errors.Is(err, syscall.ENOSPC) && !errors.Is(err, localneo4j.ErrNoSpace):
		return "free some disk space, then run the same command again"
	case errors.Is(err, neo4jstore.ErrUnauthorized):
		return "set NEO4J_USERNAME and NEO4J_PASSWORD; after three failed attempts Neo4j refuses logins for five seconds"
	case errors.Is(err, neo4jstore.ErrNoCorpus):
		return "`neorag status` lists the corpora; `neorag index PATH` creates one"
	case errors.Is(err, neo4jstore.ErrLeaseLost):
		return "wait for the other run to end, then run the same command again: it continues where it stopped"
	case errors.Is(err, neo4jstore.ErrLeased):
		return "wait for the other run to end, or use another --corpus"
	case errors.Is(err, localneo4j.ErrNotRunning):
		return "start it with `neorag up`"
	case errors.Is(err, index.ErrOtherMode):
		return "pass --yes to continue, use another --corpus, or pass the flags that the corpus was indexed with"
	case errors.Is(err, index.ErrManyGone):
		return "check that the folder is complete; pass --yes to remove them"
	case errors.Is(err, query.ErrUnknownMethod):
		return "`neorag methods` describes each method"
	}
	return ""
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
