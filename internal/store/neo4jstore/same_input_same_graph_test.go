package neo4jstore_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// worlds are successive states: each changes the one before it.
var worlds = []struct {
	name string
	world
}{
	{"first", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. !Ann Bob"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
	}},
	{"document changed", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
	}},
	{"document added that joins two components", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
		"b": {"Flo Gus. Gus Hal.", "Flo Hal."},
		"c": {"eve Flo. ANN Bob.", "Joe"},
	}},
	{"documents removed", world{
		"a": {"Ann Bob. Bob Cid. Cid Dan.", "Dan Eve. Eve Ida. !Eve Ida"},
	}},
	{"all but nothing", world{"d": {"Zoe"}}},
}

// fresh holds the dumps of the worlds, each indexed into an empty corpus.
var fresh struct {
	once  sync.Once
	dumps [][]string
}

func freshDumps(t *testing.T, s *neo4jstore.Store) [][]string {
	t.Helper()
	fresh.once.Do(func() {
		corpus := newCorpus(t, s, dimension)
		for _, step := range worlds {
			neo4jtest.Wipe(t, corpus)
			if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
				t.Fatal(err)
			}
			if _, err := indexWorld(t, s, corpus, step.world); err != nil {
				t.Fatalf("%s, fresh: %v", step.name, err)
			}
			fresh.dumps = append(fresh.dumps, dump(t, s, corpus))
		}
	})
	if len(fresh.dumps) != len(worlds) {
		t.Fatal("no dumps to compare with")
	}
	return fresh.dumps
}

// After any sequence of updates the graph equals that of a fresh index, and a second run
// writes nothing.
func TestUpdatesEndInTheGraphOfAFreshIndex(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	want := freshDumps(t, s)
	corpus := newCorpus(t, s, dimension)
	for i, step := range worlds {
		if _, err := indexWorld(t, s, corpus, step.world); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if diff := cmp.Diff(want[i], dump(t, s, corpus)); diff != "" {
			t.Fatalf("%s: dump (-fresh +grown):\n%s", step.name, diff)
		}
		idle, err := indexWorld(t, s, corpus, step.world)
		if err != nil || idle != (neo4jstore.Counters{}) {
			t.Errorf("%s: a second run changed %+v, %v", step.name, idle, err)
		}
		pending, err := s.Pending(t.Context(), corpus)
		if err != nil || len(pending) > 0 {
			t.Errorf("%s: pending %v, %v", step.name, pending, err)
		}
	}
}

var errKilled = errors.New("killed")

// A killSwitch makes a Fault fail after a number of write transactions, as if the process
// was dead.
type killSwitch struct {
	left  int
	kills int // transactions that failed
}

func (k *killSwitch) fault(string) error {
	if k.left--; k.left < 0 {
		k.kills++
		return errKilled
	}
	return nil
}

// spare lets the next run end.
func (k *killSwitch) spare() { k.left = 1 << 30 }

// A run can be killed between any two transactions, and the world can change before the
// next run.
func TestRunsMayBeKilledAnywhere(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	var kill killSwitch
	killing := open(t, func(c *neo4jstore.Config) { c.Fault = kill.fault })
	kills := len(faulttest.Points(t, 100, 3))
	killAnywhere(t, plain, killing, &kill, kills, rand.New(rand.NewPCG(1, uint64(kills))))
}

// killAnywhere indexes worlds with the store killing until that many runs were killed.
func killAnywhere(t *testing.T, plain, killing *neo4jstore.Store, kill *killSwitch, kills int, random *rand.Rand) {
	t.Helper()
	want := freshDumps(t, plain)
	corpus := newCorpus(t, plain, dimension)
	kill.kills = 0
	for runs := 0; kill.kills < kills; {
		i := random.IntN(len(worlds))
		// Up to three killed runs, possibly to different worlds, then a complete one.
		for range 1 + random.IntN(3) {
			if runs++; runs > 10*kills {
				t.Fatalf("%d of %d runs were killed, want %d", kill.kills, runs, kills)
			}
			j := random.IntN(len(worlds))
			kill.left = random.IntN(30)
			before := kill.kills
			_, err := indexWorld(t, killing, corpus, worlds[j].world)
			if killed := kill.kills > before; killed != errors.Is(err, errKilled) || !killed && err != nil {
				t.Fatalf("after %d kills (%s): killed %v, but the run ended with %v", kill.kills, worlds[j].name, killed, err)
			}
		}
		kill.spare()
		if _, err := indexWorld(t, killing, corpus, worlds[i].world); err != nil {
			t.Fatalf("after %d kills (%s), to its end: %v", kill.kills, worlds[i].name, err)
		}
		if diff := cmp.Diff(want[i], dump(t, plain, corpus)); diff != "" {
			t.Fatalf("after %d kills (%s): dump (-fresh +killed):\n%s", kill.kills, worlds[i].name, diff)
		}
		if idle, err := indexWorld(t, killing, corpus, worlds[i].world); err != nil || idle.Total() != 0 {
			t.Fatalf("after %d kills (%s): a second run changed %+v, %v", kill.kills, worlds[i].name, idle, err)
		}
	}
}
