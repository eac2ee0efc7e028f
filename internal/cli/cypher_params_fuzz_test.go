package cli

import (
	"encoding/json"
	"testing"
)

// FuzzStatementParams checks that a parameter of a user's statement becomes a value that
// the driver can send, and that no name replaces the corpus by a value of another type
// without being given.
func FuzzStatementParams(f *testing.F) {
	for _, s := range []string{"n=5", "x=[1, {\"a\": 2.5}]", "name=Mary", "big=99999999999999999999", "e=1e999", "=", "a b=1", "x=\"a\" b", "deep=[[[[[["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, given string) {
		params, err := statementParams([]string{given}, "letters")
		if err != nil {
			return
		}
		for name, value := range params {
			if !paramName.MatchString(name) {
				t.Fatalf("%q gives a parameter %q", given, name)
			}
			checkSendable(t, value)
		}
	})
}

func checkSendable(t *testing.T, value any) {
	t.Helper()
	switch v := value.(type) {
	case nil, bool, string, int64, float64:
	case []any:
		for _, item := range v {
			checkSendable(t, item)
		}
	case map[string]any:
		for _, item := range v {
			checkSendable(t, item)
		}
	case json.Number:
		t.Fatalf("the number %s was not converted", v)
	default:
		t.Fatalf("a value of type %T", value)
	}
}
