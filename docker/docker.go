// Package docker holds the files for a local Neo4j: the Compose file, and for machines
// without Docker the Maven project that lists the server's jars, with a lock file of
// their hashes for each version. They are embedded, so that the program works without a
// checkout.
package docker

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
)

// Version is the default Neo4j version, which the Compose file and the Maven project name.
const Version = "5.26.30"

// Compose is the Compose file of the Docker path.
//
//go:embed compose.yaml
var Compose []byte

// POM is the Maven project of the Java path.
//
//go:embed neo4j-local/pom.xml
var POM []byte

// Lock lists the jars of the Java path, one per line: name, SHA-256.
//
//go:embed neo4j-local/jars.lock
var Lock []byte

//go:embed neo4j-local/jars-2025.12.1.lock
var lock2025 []byte

//go:embed neo4j-local/jars-2026.08.1.lock
var lock2026 []byte

// A Release is a version of Neo4j that is tested.
type Release struct {
	Version string
	Java    int    // the oldest release of Java that runs it
	Javas   string // the releases of Java that Neo4j supports for it, in words
	Class   string // the class of its jars that starts a server
	Lock    []byte

	// Settings are lines of neo4j.conf that older versions do not know.
	Settings []string
}

// Releases are the tested versions, oldest first. The first one is the default: the current
// release with long-term support.
var Releases = []Release{
	{Version, 17, "17 or 21", "org.neo4j.server.CommunityEntryPoint", Lock, nil},
	{"2025.12.1", 21, "21 or 25", "org.neo4j.server.Neo4jCommunity", lock2025, noFleet[:1]},
	{"2026.08.1", 21, "21 or 25", "org.neo4j.server.Neo4jCommunity", lock2026, noFleet},
}

// Versions returns the versions of the releases, the default first.
func Versions() []string {
	var all []string
	for _, r := range Releases {
		all = append(all, r.Version)
	}
	return all
}

// noFleet keeps a server from offering itself to a service of Neo4j, and from broadcasting on the
// network.
var noFleet = []string{"dbms.fleet_manager.enabled=false", "server.fleet_discovery.enabled=false"}

// lastSetting is the line of the Compose file after which the settings of a release are added.
var lastSetting = []byte("      NEO4J_client_allow__telemetry: \"false\"\n")

// Compose returns the Compose file with the version and its settings. In the names of variables
// an underscore takes the place of a dot, and two that of an underscore.
func (r Release) Compose() []byte {
	added := bytes.Clone(lastSetting)
	for _, line := range r.Settings {
		name, value, _ := strings.Cut(line, "=")
		added = fmt.Appendf(added, "      NEO4J_%s: %q\n", strings.NewReplacer("_", "__", ".", "_").Replace(name), value)
	}
	return bytes.Replace(r.in(Compose), lastSetting, added, 1)
}

// POM returns the Maven project with the version.
func (r Release) POM() []byte { return r.in(POM) }

func (r Release) in(file []byte) []byte {
	return bytes.ReplaceAll(file, []byte(Version), []byte(r.Version))
}

// LockFile is the path of the lock file from the root of the repository.
func (r Release) LockFile() string {
	if r.Version == Version {
		return "docker/neo4j-local/jars.lock"
	}
	return "docker/neo4j-local/jars-" + r.Version + ".lock"
}
