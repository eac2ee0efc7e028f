package fakemodel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var askedPair = regexp.MustCompile(`(?m)^Pair (\d+)\n- ([^()\n]*) \(.*\n- ([^()\n]*) \(`)

// sameNames confirms pairs of which one name has all words of the other one, or its initials. It
// quotes numbers, and adds a pair that was not asked for.
func sameNames(text string) string {
	list := []map[string]any{{"pair": 9999, "same": true}}
	for _, m := range askedPair.FindAllStringSubmatch(text, -1) {
		a, b := strings.Fields(strings.ToLower(m[2])), strings.Fields(strings.ToLower(m[3]))
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		list = append(list, map[string]any{"pair": strconv.Itoa(n), "same": hasName(a, b) || hasName(b, a)})
	}
	return "```json\n" + marshal(map[string]any{"pairs": list}) + "\n```"
}

// hasName reports whether a name has all words of another one, or its initials.
func hasName(long, short []string) bool {
	var initials strings.Builder
	for _, w := range long {
		initials.WriteString(w[:1])
	}
	return strings.Join(short, "") == initials.String() || !slices.ContainsFunc(short, func(w string) bool { return !slices.Contains(long, w) })
}
