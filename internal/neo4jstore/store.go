// Package neo4jstore keeps a corpus in Neo4j. It is the only importer of the
// driver: a caller sees the nouns of package graph and work lists, never a
// statement but those that are for people (Ask).
//
// Reads are methods of Store. Writes are methods of Lane, the one lane of
// write transactions of a corpus, which WithWriter opens; every one of them may
// run again after it was interrupted at any point, with the same graph at the end.
package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// txTimeout ends a transaction on the server, so that a suspended client does
// not hold its locks.
const txTimeout = 60 * time.Second

// Config says how to reach a server.
type Config struct {
	URI      string
	Username string
	Password string
	Database string // empty for neo4j
	Logger   *slog.Logger

	// Fault is called after each committed write transaction of a lane with
	// what it wrote; its error ends the method that wrote. It lets tests stop
	// a run between any two transactions.
	Fault func(point string) error
}

// A Store is a connection to one database. It is safe for concurrent use.
type Store struct {
	driver   neo4j.DriverWithContext
	database string
	logger   *slog.Logger
	fault    func(point string) error
	info     ServerInfo
	waited   *atomic.Int64 // nanoseconds; shared by copies
}

// ServerInfo is what the server says of itself.
type ServerInfo struct {
	Version string `json:"version"`
	Edition string `json:"edition"`
	Address string `json:"address"`
}

// Open connects to the server and looks at its version. It tries the password
// once: a wrong one tried often locks the account.
func Open(ctx context.Context, c Config) (*Store, error) {
	address, err := dial(ctx, c.URI)
	if err != nil {
		return nil, err
	}
	driver, err := neo4j.NewDriverWithContext(c.URI, neo4j.BasicAuth(c.Username, c.Password, ""), func(d *config.Config) {
		d.TelemetryDisabled = true
		d.FetchSize = 1000
		d.SocketConnectTimeout = 5 * time.Second
		d.ConnectionAcquisitionTimeout = 30 * time.Second
		d.ConnectionLivenessCheckTimeout = 5 * time.Minute
		d.NotificationsMinSeverity = notifications.WarningLevel
		d.UserAgent = "neorag"
	})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w: it is not an address such as bolt://localhost:7687", address, ErrUnreachable)
	}
	s := &Store{driver: driver, database: c.Database, logger: c.Logger, fault: c.Fault, info: ServerInfo{Address: address}, waited: &atomic.Int64{}}
	if s.database == "" {
		s.database = "neo4j"
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if err := s.greet(ctx, c.Username); err != nil {
		_ = driver.Close(ctx)
		return nil, err
	}
	return s, nil
}

// greetWait is how long a server may take for its first answer.
const greetWait = 20 * time.Second

// greet asks for the version, once.
func (s *Store) greet(ctx context.Context, user string) error {
	ctx, cancel := context.WithTimeout(ctx, greetWait)
	defer cancel()
	err := s.single(ctx, neo4j.AccessModeRead, func(tx *transaction) error {
		return tx.each(ctx, cypher.SchemaComponents, "", nil, func(r *neo4j.Record) error {
			v := values(r.AsMap())
			s.info.Version, s.info.Edition = v.text("version"), v.text("edition")
			return nil
		})
	})
	if err != nil {
		return openError(err, s.info.Address, s.database, user)
	}
	if !versionFits(s.info.Version) {
		return fmt.Errorf("open %s: %w: it is Neo4j %s, and %s or newer is needed", s.info.Address, ErrVersion, s.info.Version, minVersion)
	}
	return nil
}

// Close ends all connections.
func (s *Store) Close(ctx context.Context) error {
	if err := s.driver.Close(ctx); err != nil {
		return fmt.Errorf("close connection to %s: %w", s.info.Address, err)
	}
	return nil
}

// ServerInfo is what the server said of itself when the store was opened.
func (s *Store) ServerInfo() ServerInfo { return s.info }

// Waited is how long the transactions of this store took so far, in sum: from
// their begin to the last row, the way there and back included.
func (s *Store) Waited() time.Duration { return time.Duration(s.waited.Load()) }

// errStop is what the callback of transaction.each returns when it has enough.
var errStop = errors.New("enough")

// readAhead is how many rows a read holds back, so that it can begin again.
const readAhead = 10_000

// read runs one statement in a read transaction of its own and hands over its
// rows. It tries again when the server asks for it or the connection breaks:
// rows are handed over when all have come, or, of a long result, as they come
// from then on, after which it does not try again.
func (s *Store) read(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	var held []*neo4j.Record
	streaming := false
	hand := func() error {
		for _, r := range held {
			if err := each(r); err != nil {
				return err
			}
		}
		held = held[:0]
		return nil
	}
	err := retry(ctx, s.logger, func() bool { return !streaming }, func() error {
		held = held[:0]
		return s.single(ctx, neo4j.AccessModeRead, func(tx *transaction) error {
			return tx.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
				if held = append(held, r); !streaming && len(held) < readAhead {
					return nil
				}
				streaming = true
				return hand()
			})
		})
	})
	if err != nil {
		return err
	}
	return hand()
}

// readTx runs several reads in one transaction. The function runs again from
// its start when the server asks for it or the connection breaks.
func (s *Store) readTx(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attempt(ctx, neo4j.AccessModeRead, fn)
	})
}

// readOne is readTx for a function that runs one statement.
func (s *Store) readOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.single(ctx, neo4j.AccessModeRead, fn)
	})
}

// writeTx runs a write transaction outside any lane: schema and leases.
func (s *Store) writeTx(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attempt(ctx, neo4j.AccessModeWrite, fn)
	})
}

// writeOne is writeTx for a function that runs one statement.
func (s *Store) writeOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.single(ctx, neo4j.AccessModeWrite, fn)
	})
}

// fetchSize is how many rows the server sends at a time.
const fetchSize = 1000

// session opens a session for one transaction, and counts how long it takes.
func (s *Store) session(ctx context.Context, mode neo4j.AccessMode, fn func(neo4j.SessionWithContext) error) (err error) {
	start := time.Now()
	defer func() { s.waited.Add(int64(time.Since(start))) }()
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: mode, DatabaseName: s.database, FetchSize: fetchSize, BookmarkManager: s.driver.ExecuteQueryBookmarkManager(),
	})
	defer func() {
		if e := session.Close(context.WithoutCancel(ctx)); e != nil && err == nil {
			err = classify(e)
		}
	}()
	return fn(session)
}

// bounds are what a transaction tells the server of itself.
func bounds(limit time.Duration) []func(*neo4j.TransactionConfig) {
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(limit), neo4j.WithTxMetadata(map[string]any{"app": "neorag"})}
}

// attempt runs one transaction, once.
func (s *Store) attempt(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.attemptWithin(ctx, mode, txTimeout, fn)
}

// attemptWithin is attempt with a time limit of the caller's.
func (s *Store) attemptWithin(ctx context.Context, mode neo4j.AccessMode, limit time.Duration, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, func(session neo4j.SessionWithContext) error {
		tx, err := session.BeginTransaction(ctx, bounds(limit)...)
		if err != nil {
			return classify(err)
		}
		if err := fn(&transaction{send: tx.Run, logger: s.logger}); err != nil {
			_ = tx.Close(context.WithoutCancel(ctx))
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return classify(err)
		}
		return nil
	})
}

// single runs one statement, once, in a transaction that the server begins and
// ends for it: one way there and back, where attempt takes three.
func (s *Store) single(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, func(session neo4j.SessionWithContext) error {
		send := func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
			return session.Run(ctx, text, params, bounds(txTimeout)...)
		}
		return fn(&transaction{send: send, logger: s.logger})
	})
}

// A transaction runs statements and counts what the server changed for them.
type transaction struct {
	send     func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)
	logger   *slog.Logger
	counters Counters
}

// each runs a statement and hands over its rows. The name of the corpus takes
// its places in the text and is the parameter corpus. errStop ends it early.
func (t *transaction) each(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	if corpus != "" {
		if err := graph.CheckCorpus(corpus); err != nil {
			return err
		}
	}
	all := make(map[string]any, len(params)+1)
	maps.Copy(all, params)
	if corpus != "" {
		all["corpus"] = corpus
	}
	text, all, err := st.Packed(corpus, all)
	if err != nil {
		return err
	}
	return t.run(ctx, st, text, all, each)
}

// run runs a text under the name of a statement, and hands over its rows.
func (t *transaction) run(ctx context.Context, st cypher.Statement, text string, params map[string]any, each func(*neo4j.Record) error) error {
	result, err := t.send(ctx, text, params)
	if err != nil {
		return statementError(st, err)
	}
	for result.Next(ctx) {
		if each == nil {
			continue
		}
		if err := each(result.Record()); errors.Is(err, errStop) {
			break
		} else if err != nil {
			return err
		}
	}
	if err := result.Err(); err != nil {
		return statementError(st, err)
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return statementError(st, err)
	}
	t.counters.add(summary.Counters())
	t.logger.DebugContext(ctx, "statement", "name", string(st), "plan", summary.ResultAvailableAfter(), "rows", summary.ResultConsumedAfter())
	return nil
}

// one runs a statement that returns one row of whole numbers under the name
// given; no row is zero.
func (t *transaction) one(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, name string) (int64, error) {
	var n int64
	err := t.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
		n = values(r.AsMap()).whole(name)
		return nil
	})
	return n, err
}
