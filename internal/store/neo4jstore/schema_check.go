package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A Check compares the existing constraints and indexes with the wanted ones. Missing
// holds names, Different names with the difference.
type Check struct {
	Server    ServerInfo      `json:"server"`
	Missing   []string        `json:"missing"`
	Different []string        `json:"different"`
	Corpora   []CorpusIndexes `json:"corpora"`
	ReadOnly  bool            `json:"read_only"` // no server may write to the database
}

// CorpusIndexes are the indexes of one corpus, in name order.
type CorpusIndexes struct {
	Corpus  string       `json:"corpus"`
	Indexes []IndexState `json:"indexes"`
}

// An IndexState is the state of an index. The dimension is set for a vector index.
type IndexState struct {
	Name              string  `json:"name"`
	Type              string  `json:"type"`
	State             string  `json:"state"`
	Dimension         int     `json:"dimension,omitempty"`
	PopulationPercent float64 `json:"population_percent"`
}

// Check compares the constraints and indexes of the database with the wanted ones, and
// lists the indexes of a corpus, or of all corpora for "". Nothing is missing from a server
// without a corpus. Indexes that another process is creating or dropping get a few
// seconds to settle.
func (s *Store) Check(ctx context.Context, corpus string) (Check, error) {
	for left := settleTimeout; ; left -= settleInterval {
		check, err := s.checkNow(ctx, corpus)
		if err != nil || len(check.Missing)+len(check.Different) == 0 || left <= 0 {
			return check, err
		}
		if err := pause(ctx, settleInterval); err != nil {
			return Check{}, err
		}
	}
}

func (s *Store) checkNow(ctx context.Context, only string) (Check, error) {
	check := Check{Server: s.info, Missing: []string{}, Different: []string{}, Corpora: []CorpusIndexes{}}
	var err error
	if check.ReadOnly, err = s.isReadOnly(ctx); err != nil {
		return Check{}, err
	}
	corpora, err := s.Corpora(ctx)
	if err != nil {
		return Check{}, err
	}
	shown, err := s.allIndexes(ctx)
	if err != nil {
		return Check{}, err
	}
	if len(corpora) > 0 {
		check.compare(schemaIndexes(), shown)
	}
	for _, corpus := range corpora {
		if only != "" && corpus.Name != only {
			continue
		}
		check.compare(corpusIndexes(corpus.Name, corpus.vectors()), shown)
		check.Corpora = append(check.Corpora, statesOf(corpus.Name, shown))
	}
	return check, nil
}

// isReadOnly reports whether no server may write to the database, by what the server lists.
// What it does not list, such as an alias of a database, may be writable.
func (s *Store) isReadOnly(ctx context.Context) (bool, error) {
	writable, err := rows(ctx, s, schemaDatabaseAccess, "", map[string]any{"database": s.database})
	if err != nil {
		return false, fmt.Errorf("show databases: %w", err)
	}
	return len(writable) > 0 && !slices.Contains(writable, true), nil
}

func statesOf(corpus string, shown map[string]index) CorpusIndexes {
	own := CorpusIndexes{Corpus: corpus, Indexes: []IndexState{}}
	for _, x := range shown {
		if x.belongsTo(corpus) {
			own.Indexes = append(own.Indexes, IndexState{
				Name: x.name, Type: x.kind, State: x.state, Dimension: x.dimension, PopulationPercent: x.percent,
			})
		}
	}
	slices.SortFunc(own.Indexes, func(a, b IndexState) int { return cmp.Compare(a.Name, b.Name) })
	return own
}

func (c *Check) compare(meant []index, shown map[string]index) {
	for _, m := range meant {
		have, found := m.findIn(shown)
		if !found {
			c.Missing = append(c.Missing, m.name)
		} else if difference := m.difference(have); difference != "" {
			c.Different = append(c.Different, fmt.Sprintf("%s: %s", m.name, difference))
		}
	}
}
