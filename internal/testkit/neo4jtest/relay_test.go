package neo4jtest

import (
	"context"
	"errors"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Each fault, on the two kinds of write transactions. Transactions that are rolled back are left
// alone, and reads but for faults of clusters.
func TestRelayFaults(t *testing.T) {
	t.Parallel()
	conn := Server(t)
	relay, corpus := NewRelay(t, conn), Borrow(t, "relay")
	driver, err := neo4j.NewDriverWithContext(relay.URI(), neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	session := func(mode neo4j.AccessMode, fn func(neo4j.SessionWithContext) error) error {
		s := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j", AccessMode: mode})
		defer func() { _ = s.Close(t.Context()) }()
		return fn(s)
	}
	single := func(text string) func(neo4j.SessionWithContext) error {
		return func(s neo4j.SessionWithContext) error {
			result, err := s.Run(t.Context(), text, map[string]any{"corpus": corpus})
			if err == nil {
				_, err = result.Consume(t.Context())
			}
			return err
		}
	}
	explicit := func(text string, commit bool) func(neo4j.SessionWithContext) error {
		return func(s neo4j.SessionWithContext) error {
			tx, err := s.BeginTransaction(t.Context())
			if err != nil {
				return err
			}
			result, err := tx.Run(t.Context(), text, map[string]any{"corpus": corpus})
			if err == nil {
				_, err = result.Consume(t.Context())
			}
			if err != nil || !commit {
				_ = tx.Close(t.Context())
				return err
			}
			return tx.Commit(t.Context())
		}
	}
	const create, count, broken = "CREATE (:Passage {corpus: $corpus})", "MATCH (n:Passage {corpus: $corpus}) RETURN count(n)", "RETURN 1 / 0"
	written := func() int64 {
		t.Helper()
		found, err := neo4j.ExecuteQuery(t.Context(), driver, count, map[string]any{"corpus": corpus}, neo4j.EagerResultTransformer,
			neo4j.ExecuteQueryWithDatabase("neo4j"), neo4j.ExecuteQueryWithReadersRouting())
		if err != nil {
			t.Fatal(err)
		}
		n, _ := found.Records[0].Values[0].(int64)
		return n
	}
	for _, tt := range []struct {
		name              string
		fault             Fault
		mode              neo4j.AccessMode
		run               func(neo4j.SessionWithContext) error
		fails             bool
		writes            int64
		commits, injected int
		refused           int
	}{
		{"none, single statement", NoFault, neo4j.AccessModeWrite, single(create), false, 1, 1, 0, 0},
		{"none, transaction", NoFault, neo4j.AccessModeWrite, explicit(create, true), false, 1, 1, 0, 0},
		{"lost, single statement", LoseAnswer, neo4j.AccessModeWrite, single(create), true, 1, 1, 1, 0},
		{"lost, transaction", LoseAnswer, neo4j.AccessModeWrite, explicit(create, true), true, 1, 1, 1, 0},
		{"cut, single statement", CutRequest, neo4j.AccessModeWrite, single(create), true, 0, 1, 1, 0},
		{"cut, transaction", CutRequest, neo4j.AccessModeWrite, explicit(create, true), true, 0, 1, 1, 0},
		{"delayed, single statement", DelayAnswer, neo4j.AccessModeWrite, single(create), false, 1, 1, 1, 0},
		{"delayed, transaction", DelayAnswer, neo4j.AccessModeWrite, explicit(create, true), false, 1, 1, 1, 0},
		{"failed, single statement", LoseAnswer, neo4j.AccessModeWrite, single(broken), true, 0, 1, 0, 1},
		{"failed, transaction", LoseAnswer, neo4j.AccessModeWrite, explicit(broken, true), true, 0, 0, 0, 0},
		{"rolled back", LoseAnswer, neo4j.AccessModeWrite, explicit(create, false), false, 0, 0, 0, 0},
		{"leader elsewhere, single statement", NotALeader, neo4j.AccessModeWrite, single(create), true, 0, 1, 1, 0},
		{"leader elsewhere, transaction", NotALeader, neo4j.AccessModeWrite, explicit(create, true), true, 0, 1, 1, 0},
		{"unavailable, single statement", Unavailable, neo4j.AccessModeWrite, single(create), true, 0, 1, 1, 0},
		{"unavailable, transaction", Unavailable, neo4j.AccessModeWrite, explicit(create, true), true, 0, 1, 1, 0},
		{"unavailable, failed transaction", Unavailable, neo4j.AccessModeWrite, explicit(broken, true), true, 0, 0, 0, 0},
		{"unavailable, read, single statement", Unavailable, neo4j.AccessModeRead, single(count), true, 0, 0, 1, 0},
		{"unavailable, read, transaction", Unavailable, neo4j.AccessModeRead, explicit(count, true), true, 0, 0, 1, 0},
		{"read, single statement", LoseAnswer, neo4j.AccessModeRead, single(count), false, 0, 0, 0, 0},
		{"read, transaction", LoseAnswer, neo4j.AccessModeRead, explicit(count, true), false, 0, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := written()
			if codes[tt.fault] != "" {
				relay.OnRead(func(int) Fault { return tt.fault })
			}
			relay.OnCommit(func(int) Fault { return tt.fault })
			err := session(tt.mode, tt.run)
			if (err != nil) != tt.fails {
				t.Errorf("error %v, want one: %v", err, tt.fails)
			}
			if c, i := relay.Commits(), relay.Injected(); c != tt.commits || i != tt.injected {
				t.Errorf("%d commits and %d faults, want %d and %d", c, i, tt.commits, tt.injected)
			}
			if failed, _ := errors.AsType[*neo4j.Neo4jError](err); codes[tt.fault] != "" && tt.injected > 0 && (failed == nil || failed.Code != codes[tt.fault]) {
				t.Errorf("error %v, want %s", err, codes[tt.fault])
			}
			if r := relay.Refused(); r != tt.refused {
				t.Errorf("%d refused commits, want %d", r, tt.refused)
			}
			relay.OnCommit(nil)
			relay.OnRead(nil)
			if n := written() - before; n != tt.writes {
				t.Errorf("the server has %d more nodes, want %d", n, tt.writes)
			}
		})
	}
}

// TestRelayRoutes asks a relay for the servers of a cluster: it is all of them, so that faults happen
// and bytes are recorded.
func TestRelayRoutes(t *testing.T) {
	t.Parallel()
	conn := Server(t)
	relay := NewRelay(t, conn)
	driver, err := neo4j.NewDriverWithContext(relay.RoutingURI(), neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	for _, option := range []neo4j.ExecuteQueryConfigurationOption{neo4j.ExecuteQueryWithReadersRouting(), neo4j.ExecuteQueryWithWritersRouting()} {
		if _, err := neo4j.ExecuteQuery(t.Context(), driver, "RETURN 'routed here'", nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"), option); err != nil {
			t.Fatal(err)
		}
	}
	if n := relay.Received("routed here"); n != 2 {
		t.Errorf("%d of 2 statements passed the relay", n)
	}
}
