package localneo4j

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/docker"
)

func TestWithVersion(t *testing.T) {
	t.Parallel()
	newest := docker.Releases[len(docker.Releases)-1].Version
	for _, tt := range []struct {
		name, asked string
		data        bool
		wrote       string // "" for data of a program that recorded no version
		want, says  string // the version, or a part of the error
	}{
		{name: "new data", want: docker.Version},
		{name: "new data of another version", asked: newest, want: newest},
		{name: "not tested", asked: "4.4.1", says: `"4.4.1" is none of the tested ones: ` + docker.Version},
		{name: "without a record", data: true, want: docker.Version},
		{name: "a record of a first start that failed", wrote: newest, want: docker.Version},
		{name: "the data decides", data: true, wrote: newest, want: newest},
		{name: "an older patch", data: true, wrote: "5.26.2", want: docker.Version},
		{name: "a patch between", data: true, wrote: "2025.01.0", want: "2025.12.1"},
		{name: "upgrade", asked: newest, data: true, wrote: docker.Version, want: newest},
		{name: "downgrade", asked: docker.Version, data: true, wrote: newest, says: "older " + docker.Version + " cannot read it"},
		{name: "data of the future", data: true, wrote: "2099.01.0", says: "upgrade neorag"},
		{name: "damaged", data: true, wrote: "new", says: "is damaged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := Options{Data: t.TempDir(), Version: tt.asked}
			if tt.data {
				if err := os.MkdirAll(filepath.Join(databasesPath(o.Data), "system"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if tt.wrote != "" {
				if err := os.WriteFile(versionPath(o.Data), []byte(tt.wrote+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := o.withVersion()
			switch {
			case tt.says != "":
				if err == nil || !strings.Contains(err.Error(), tt.says) || tt.wrote != "new" && !errors.Is(err, ErrVersion) {
					t.Errorf("%v, want %q", err, tt.says)
				}
			case err != nil || got.Version != tt.want || got.release().Version != tt.want:
				t.Errorf("%q, %v, want %q", got.Version, err, tt.want)
			}
		})
	}
}

func TestReleasesAreOrdered(t *testing.T) {
	t.Parallel()
	if versions := docker.Versions(); versions[0] != docker.Version || !slices.IsSortedFunc(versions, compareVersions) {
		t.Errorf("%v", versions)
	}
}
