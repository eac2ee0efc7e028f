package query

import (
	"fmt"
	"strconv"
	"strings"
)

// deepest stands for the leaves: the store takes a level below the deepest as the deepest.
const deepest = 1 << 20

// A Level chooses a level view of the hierarchy. The zero value is level 2.
type Level struct {
	set   bool
	level int
}

// Number is the level as a number; leaves are a large one.
func (l Level) Number() int {
	if !l.set {
		return 2
	}
	return l.level
}

// ParseLevel reads "2", "C2", "root" or "leaf". An empty string is the default.
func ParseLevel(s string) (Level, error) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "":
		return Level{}, nil
	case "root":
		return Level{true, 0}, nil
	case "leaf":
		return Level{true, deepest}, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s, "c"))
	if err != nil || n < 0 || n > deepest {
		return Level{}, fmt.Errorf("level %q: give a number from 0 (the root level), C0 to C3, root or leaf", s)
	}
	return Level{true, n}, nil
}
