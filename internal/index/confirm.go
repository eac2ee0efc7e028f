package index

import (
	"fmt"
	"strings"
)

// redoneByStage says what changed settings of a stage redo. Stages that cost nothing
// are not named.
var redoneByStage = []struct{ stage, what string }{
	{"extract", "the extraction of all chunks"},
	{"describe", "all descriptions"},
	{"embed", "all vectors"},
	{"report", "all reports"},
}

// confirm stops a run that would redo what models made, or make with models
// what is there without: that costs money or loses what was paid for. What is
// redone without a model on either side costs only time.
func (x *Indexer) confirm(p runDiff) error {
	mode := x.mode()
	if x.options.Yes || p.isNew || p.mode == "" || p.mode == modeOffline && mode == modeOffline {
		return nil
	}
	var what []string
	for _, r := range redoneByStage {
		if _, changed := p.changedSettings[r.stage]; changed {
			what = append(what, r.what)
		}
	}
	if p.rechunked > 0 && len(what) == 0 {
		what = append(what, fmt.Sprintf("chunks and extraction of %d documents that are cut in another way", p.rechunked))
	}
	if len(what) == 0 {
		return nil
	}
	return fmt.Errorf("index %s: %w: it was made with %s, and with %s this run would redo %s", x.options.Corpus, ErrOtherMode, p.mode, mode, strings.Join(what, ", "))
}
