package index

// A Result is what a run did, in the format of `index --json`.
type Result struct {
	Corpus           string          `json:"corpus"`
	Run              string          `json:"run"` // empty when nothing was written
	Documents        DocumentCounts  `json:"documents"`
	Communities      CommunityCounts `json:"communities"`
	Reports          ReportCounts    `json:"reports"`
	Stages           []StageResult   `json:"stages"`
	Seconds          float64         `json:"seconds"`
	AdjacencySeconds float64         `json:"adjacency_seconds"` // to read all relationships to find communities; 0 if the run did not

	Calls     int64          `json:"calls"`
	TokensIn  int64          `json:"tokens_in"`
	TokensOut int64          `json:"tokens_out"`
	Cost      float64        `json:"cost"`
	PriceDate string         `json:"price_date,omitempty"`    // of the built-in list of prices, in USD, that the cost is from; absent for other prices
	Rebuild   *RebuildShare  `json:"rebuild_share,omitempty"` // absent without calls
	Writes    int64          `json:"writes"`                  // what the server says it changed; 0 when all was done before
	Exit      int            `json:"exit"`
	Failures  []Failure      `json:"failures"`
	Notes     []string       `json:"notes,omitempty"`
	Skipped   map[string]int `json:"skipped,omitempty"` // files that no format reads, by extension
	Stopped   string         `json:"stopped,omitempty"` // why the run ended early: its budget is spent
}

// DocumentCounts counts documents by what happened to them.
type DocumentCounts struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Moved     int `json:"moved"` // the same bytes under another URI
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
	Excluded  int `json:"excluded"` // that were removed with `neorag remove` and are kept out
	Failed    int `json:"failed"`
}

// CommunityCounts counts communities by what became of those that were visible before the
// run. All are 0 if the run did not cluster.
type CommunityCounts struct {
	Kept    int  `json:"kept"`    // with the same members
	Changed int  `json:"changed"` // with most of their members, and the same label
	New     int  `json:"new"`
	Gone    int  `json:"gone"`
	Fresh   bool `json:"fresh"` // found without the previous ones
}

// ReportCounts counts the reports of all communities. All are 0 if the run neither
// clustered nor found a report to write.
type ReportCounts struct {
	Kept              int `json:"kept"`
	Rewritten         int `json:"rewritten"`
	DroppedFindings   int `json:"dropped_findings"`   // findings of a model that had no room
	DroppedReferences int `json:"dropped_references"` // references of a model that are invalid, or beyond five in one citation
}

// A StageResult is what one stage did.
type StageResult struct {
	Name      string  `json:"name"`
	Done      int     `json:"done"`
	Failed    int     `json:"failed"`
	Started   float64 `json:"started"` // seconds after the start of the run; with a model stages overlap
	Seconds   float64 `json:"seconds"`
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"`
	Writes    int64   `json:"writes"`
}

// A Failure is one item that a stage could not process; the next run tries it again.
type Failure struct {
	Key    string `json:"key"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// ExitFailedParts is the exit code of a run that ended without an error, although parts failed: the
// only one other than 0. Each run records its code in the graph. Package cli has the codes of errors.
const ExitFailedParts = 3

// exit returns the exit code: ExitFailedParts if more items failed than allowed, or the budget is spent.
func (r *Result) exit(a Allowance) int {
	failed := len(r.Failures)
	if r.Stopped != "" {
		return ExitFailedParts
	}
	if failed <= a.Count {
		return 0
	}
	if a.Percent > 0 {
		items := r.Documents.Added + r.Documents.Changed + r.Documents.Unchanged + r.Documents.Failed
		for _, s := range r.Stages {
			items = max(items, s.Done+s.Failed)
		}
		if float64(failed) <= a.Percent/100*float64(items) {
			return 0
		}
	}
	return ExitFailedParts
}
