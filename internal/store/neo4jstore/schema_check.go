package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// A Check compares the existing constraints and indexes with the wanted ones. Missing
// holds names, Different names with the difference.
type Check struct {
	Server    ServerInfo      `json:"server"`
	Missing   []string        `json:"missing"`
	Different []string        `json:"different"`
	Corpora   []CorpusIndexes `json:"corpora"`
	Members   []Member        `json:"members"` // the servers that have the database, as the server lists them
	// ClockAhead is how far the clock of the server is ahead of the clock of this machine, negative if
	// it is behind. It is 0 if the time that the question took may explain the difference.
	ClockAhead time.Duration `json:"clock_ahead"`
}

// A Member is a server that has the database.
type Member struct {
	Address string
	Role    string // "primary" or "secondary"
	Writes  bool   // it leads the database
	Status  string // "online" if it is
}

// ReadOnly reports whether no server may write to the database. What the server does not list, such
// as an alias of a database, may be writable.
func (c Check) ReadOnly() bool {
	return len(c.Members) > 0 && !slices.ContainsFunc(c.Members, func(m Member) bool { return m.Writes })
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
	if check.Members, err = s.members(ctx); err != nil {
		return Check{}, err
	}
	if check.ClockAhead, err = s.clockAhead(ctx); err != nil {
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

// members lists the servers that have the database.
func (s *Store) members(ctx context.Context) ([]Member, error) {
	listed, err := rows(ctx, s, schemaMembers, "", map[string]any{"database": s.database})
	if err != nil {
		return nil, fmt.Errorf("show databases: %w", err)
	}
	var members []Member
	for _, row := range listed {
		members = append(members, Member{Address: row.Address, Role: row.Role, Writes: row.Writes && !row.ReadOnly, Status: row.Status})
	}
	return members, nil
}

// clockAhead compares the clock of the server with the clock of this machine.
func (s *Store) clockAhead(ctx context.Context) (time.Duration, error) {
	before := s.now()
	times, err := rows(ctx, s, schemaClock, "", nil)
	if err != nil || len(times) == 0 {
		return 0, err
	}
	after, server := s.now(), time.UnixMilli(int64(times[0]))
	switch {
	case server.Before(before):
		return server.Sub(before), nil
	case server.After(after):
		return server.Sub(after), nil
	}
	return 0, nil
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
