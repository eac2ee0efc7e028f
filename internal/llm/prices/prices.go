// Package prices lists what common models cost at their providers, for estimates and limits of
// cost where the user gives no prices.
//
// In: the address of a server, and a model. Out: its price, if it is listed.
package prices

import (
	_ "embed"
	"encoding/csv"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/llm"
)

// Date is the day on which the prices of the list were read. Change it with the list.
const Date = "2025-11-30"

// Currency is the currency of the list.
const Currency = "USD"

//go:embed prices.csv
var list string

// dated is the end of the name of a model that is fixed to a release.
var dated = regexp.MustCompile(`-(\d{8}|\d{4}-\d{2}-\d{2})$`)

// Of returns the price of a model at the server with an address. It is known only for the host of the
// model's provider, by the protocol https: a proxy or a local server has other prices.
func Of(address, model string) (price llm.Price, known bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Port() != "" && u.Port() != "443" {
		return llm.Price{}, false
	}
	host := strings.ToLower(u.Hostname())
	for _, name := range []string{model, dated.ReplaceAllString(model, "")} {
		if price, known = table()[host+" "+strings.TrimPrefix(name, "models/")]; known {
			return price, true
		}
	}
	return llm.Price{}, false
}

// table returns the prices by host and model. A mistake in the embedded list is a bug.
var table = sync.OnceValue(func() map[string]llm.Price {
	r := csv.NewReader(strings.NewReader(list))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic("prices: " + err.Error())
	}
	prices := map[string]llm.Price{}
	for _, row := range rows {
		prices[row[0]+" "+row[1]] = llm.Price{In: number(row[2]), CachedIn: number(row[3]), Out: number(row[4])}
	}
	return prices
})

func number(text string) float64 {
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("prices: " + err.Error())
	}
	return x
}
