package source

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/source/parse"
)

// A Failure is a file, or a part of a file, that cannot be read.
type Failure = parse.Failure

const (
	namedParts = 3   // of a file, in the message about all
	maxPart    = 200 // bytes of the message about one
)

// JoinFailures returns one error, of one line, for the parts of a file that cannot be read; nil for
// none.
func JoinFailures(failures []Failure) error {
	if len(failures) == 0 {
		return nil
	}
	if len(failures) == 1 {
		return failures[0].Err
	}
	prefix := "read " + failures[0].URI + ": "
	var named []string
	for _, f := range failures[:min(len(failures), namedParts)] {
		named = append(named, parse.Truncate(strings.TrimPrefix(f.Err.Error(), prefix), maxPart))
	}
	if more := len(failures) - namedParts; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s%d parts cannot be read: %s", prefix, len(failures), strings.Join(named, "; "))
}
