package query

import (
	"fmt"
	"strconv"
	"strings"
)

// leafLevel is below every hierarchy: the store reads the deepest one instead.
const leafLevel = 1 << 20

// A Level selects a level view of the hierarchy. The zero value is level 2.
type Level struct {
	set   bool
	level int
}

// Number returns the level as a number, counted from the roots; for leaves it is very large.
func (l Level) Number() int {
	if !l.set {
		return 2
	}
	return l.level
}

// ParseLevel parses "2", "C2", "root" or "leaf", in any letter case. An empty string
// is the zero Level.
func ParseLevel(s string) (Level, error) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "":
		return Level{}, nil
	case "root":
		return Level{true, 0}, nil
	case "leaf":
		return Level{true, leafLevel}, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s, "c"))
	if err != nil || n < 0 || n > leafLevel {
		return Level{}, fmt.Errorf("level %q: give a number from 0 (the root level), C0 to C3, root or leaf", s)
	}
	return Level{true, n}, nil
}
