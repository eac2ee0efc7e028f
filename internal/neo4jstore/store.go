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
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/neorag/neorag/cypher"
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
