// Package neo4jstore stores corpora in Neo4j. It is the only importer of the driver:
// callers see the types of package graph and work lists, and no statements, except
// statements of users (RunReadOnly).
//
// Reads are methods of Store. Writes are methods of Writer, the only writer of a
// corpus, which WithWriter opens. Every write can be repeated after it was interrupted
// at any point, and the resulting graph is the same.
//
// The files: store and dial connect; tx, retry and batch run transactions; lease and
// writer keep one writer per corpus; schema* are constraints and indexes; read_* and
// write_* are the statements of the program; usercypher.go runs statements of
// users, which package usercypher checks.
package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/neorag/neorag/cypher"
)

// Config configures the connection to a server.
type Config struct {
	URI      string
	Username string
	Password string
	Database string // empty is the home database of the user
	Logger   *slog.Logger

	// Fault is called with the name of each write transaction after its commit, also of
	// those that change indexes, but not of statements of the lease; its error ends the method
	// that wrote. Tests use it to stop a run between any two transactions.
	Fault func(point string) error

	Now func() time.Time // the clock of this machine; time.Now if nil
}

// A Store is a connection to one database. It is safe for concurrent use.
type Store struct {
	driver   neo4j.DriverWithContext
	database string
	// bookmarks order the transactions of several servers; nil for one server. There they order nothing,
	// and readers that wait for the bookmark of a write hold it up, since Neo4j 5.26 polls it for each of
	// them.
	bookmarks neo4j.BookmarkManager
	logger    *slog.Logger
	fault     func(point string) error
	now       func() time.Time
	info      ServerInfo
	waited    *atomic.Int64 // nanoseconds; shared by copies
	pageRows  int           // limit of the rows of a page; 0 for the limit of each read
}

// passed is called after a write transaction of that name.
func (s *Store) passed(point string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(point)
}

// ServerInfo describes the server.
type ServerInfo struct {
	Version string `json:"version"`
	Edition string `json:"edition"`
	Address string `json:"address"`

	Database string `json:"database"` // that of the configuration, or the home database
}

// routingScheme begins the URI of a server that may be one of a cluster, to which the driver routes.
const routingScheme = "neo4j"

// Open connects to the server and checks its version. It tries the password only once,
// because repeated wrong attempts lock the account.
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
		return nil, fmt.Errorf("open %s: %w: use an address such as bolt://localhost:7687", address, ErrUnreachable)
	}
	s := &Store{driver: driver, database: c.Database, logger: c.Logger, fault: c.Fault, now: c.Now, info: ServerInfo{Address: address}, waited: &atomic.Int64{}}
	if strings.HasPrefix(c.URI, routingScheme) {
		s.bookmarks = driver.ExecuteQueryBookmarkManager()
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.readServerInfo(ctx, c.Username); err != nil {
		_ = driver.Close(ctx)
		return nil, err
	}
	return s, nil
}

// systemDatabase is the database of every server that is not for graphs.
const systemDatabase = "system"

// serverInfoTimeout is how long a server may take for its first response.
const serverInfoTimeout = 20 * time.Second

// readServerInfo reads the version of the server and, if the configuration names no database,
// the name of the home database, without retries. From then on every statement names its
// database: a home database that changes meanwhile does not divide a corpus.
func (s *Store) readServerInfo(ctx context.Context, user string) error {
	ctx, cancel := context.WithTimeout(ctx, serverInfoTimeout)
	defer cancel()
	err := s.autoCommit(ctx, neo4j.AccessModeRead, func(tx *transaction) error {
		err := tx.each(ctx, cypher.SchemaComponents, "", nil, schemaComponents.each(func(row componentsRow) {
			if row.Name == "Neo4j Kernel" && len(row.Versions) > 0 {
				s.info.Version, s.info.Edition = row.Versions[0], row.Edition
			}
		}))
		s.database = cmp.Or(s.database, tx.database)
		return err
	})
	if err != nil {
		return openError(err, s.info.Address, s.database, user)
	}
	s.info.Database = s.database
	if strings.EqualFold(s.database, systemDatabase) {
		return fmt.Errorf("open %s: %w: the database system holds the users and databases of the server, and no graph", s.info.Address, ErrDatabase)
	}
	if !supportsVersion(s.info.Version) {
		return fmt.Errorf("open %s: %w: it is Neo4j %s; %s or newer is needed", s.info.Address, ErrVersion, s.info.Version, minVersion)
	}
	return nil
}

// Close closes all connections.
func (s *Store) Close(ctx context.Context) error {
	if err := s.driver.Close(ctx); err != nil {
		return fmt.Errorf("close connection to %s: %w", s.info.Address, err)
	}
	return nil
}

// ServerInfo describes the server as it was when the store was opened.
func (s *Store) ServerInfo() ServerInfo { return s.info }

// Waited returns the total duration of all transactions of this store so far, from
// begin to the last row, including the network.
func (s *Store) Waited() time.Duration { return time.Duration(s.waited.Load()) }
