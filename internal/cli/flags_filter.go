package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
)

// filterFlags restrict the documents that questions are answered from.
func filterFlags() []ucli.Flag {
	return []ucli.Flag{
		listFlag{&ucli.StringSliceFlag{Name: "document", Category: filterGroup, Usage: "use only documents whose URI or file name matches `PATTERN`, such as 'minutes/*.md'"}},
		&ucli.StringFlag{Name: "after", Category: filterGroup, Usage: "use only documents dated `DATE` (2026, 2026-03 or 2026-03-14) or later; those without a date are left out"},
		&ucli.StringFlag{Name: "before", Category: filterGroup, Usage: "use only documents dated before `DATE`; those without a date are left out"},
		listFlag{&ucli.StringSliceFlag{Name: "type", Category: filterGroup, Usage: "use only text that mentions an entity of `TYPE`, such as person"}},
	}
}

func filterFrom(cc invocation) query.Filter {
	return query.Filter{Documents: cc.StringSlice("document"), After: cc.String("after"), Before: cc.String("before"), Types: cc.StringSlice("type")}
}
