package index

import (
	"fmt"
	"strconv"
	"strings"
)

// An Allowance is how many failures a run may have and still exit with 0: a
// number, or a percentage of the items of the largest stage.
type Allowance struct {
	Count   int
	Percent float64 // 0 to 100, of all items; used if there are more failures than Count
}

// ParseAllowance parses a number, such as "3", or a percentage, such as "2.5%".
func ParseAllowance(s string) (Allowance, error) {
	if p, ok := strings.CutSuffix(s, "%"); ok {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || !(v >= 0 && v <= 100) {
			return Allowance{}, fmt.Errorf("allowance %q: give a number or a percentage from 0%% to 100%%", s)
		}
		return Allowance{Percent: v}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return Allowance{}, fmt.Errorf("allowance %q: give a number or a percentage from 0%% to 100%%", s)
	}
	return Allowance{Count: n}, nil
}
