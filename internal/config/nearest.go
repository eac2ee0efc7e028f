package config

import "strings"

// Distance is the number of bytes to insert, delete or replace between two names.
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

// nearest is the name that is closest to one that there is not; the first of
// equals. A name that ends in the same word, in another section, is close.
func nearest(name string, among []string) string {
	best, least := "", 0
	for _, other := range among {
		d := Distance(name, other)
		if last(name) == last(other) {
			d = min(d, 2)
		} else if !strings.Contains(name, ".") {
			d = min(d, 1+Distance(name, last(other)))
		}
		if best == "" || d < least {
			best, least = other, d
		}
	}
	return best
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
