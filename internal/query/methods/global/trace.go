package global

import "io"

// A Selection is what dynamic selection read, compared with the level view that
// it replaces.
type Selection struct {
	Reports     int `json:"reports"` // that were chosen
	Tokens      int `json:"tokens"`
	Rated       int `json:"rated"` // whose titles and summaries a model rated
	RatedTokens int `json:"rated_tokens"`
	Calls       int `json:"calls"`        // to the model, for rating
	ViewReports int `json:"view_reports"` // of the whole level
	ViewTokens  int `json:"view_tokens"`
}

// TraceName is part of query.Trace.
func (Selection) TraceName() string { return "selection" }

// Print prints nothing: a note of the answer has the figures.
func (Selection) Print(io.Writer) {}
