package config

import "strings"

// Distance counts the bytes to insert, delete or replace to turn a into b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// nearest returns the known name that is closest to an unknown one, the first of
// equally close ones. A name with the same last word in another section is close.
func nearest(unknown string, known []string) string {
	best, least := "", 0
	for _, name := range known {
		d := Distance(unknown, name)
		if lastWord(unknown) == lastWord(name) {
			d = min(d, 2)
		} else if !strings.Contains(unknown, ".") {
			d = min(d, 1+Distance(unknown, lastWord(name)))
		}
		if best == "" || d < least {
			best, least = name, d
		}
	}
	return best
}

// lastWord returns the part of a key's name after the last dot.
func lastWord(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
