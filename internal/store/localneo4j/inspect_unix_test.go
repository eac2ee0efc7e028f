//go:build unix

package localneo4j

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInspect(t *testing.T) {
	o := Options{
		Data: t.TempDir(), Cache: t.TempDir(), Mode: Java, Maven: "/nowhere/mvn",
		Java: javaThatPrints(t, `openjdk version "17.0.2" 2022-01-18`),
	}
	checks, err := Inspect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ok := map[string]bool{}
	for _, c := range checks {
		ok[c.Name] = c.OK
		if c.Detail == "" {
			t.Errorf("%s has no detail", c.Name)
		}
	}
	want := map[string]bool{"docker": true, "java": true, "jars": false, "maven": false, "server": false}
	if diff := cmp.Diff(want, ok); diff != "" {
		t.Errorf("checks (-want +got):\n%s\n%v", diff, checks)
	}
	if entries, err := os.ReadDir(o.Cache); err != nil || len(entries) > 0 {
		t.Errorf("Inspect left %v in the cache, %v", entries, err)
	}
}
