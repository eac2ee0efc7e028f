// Package docker holds the files for a local Neo4j: the Compose file, and for machines
// without Docker the Maven project that lists the server's jars, with a lock file of
// their hashes. They are embedded, so that the program works without a checkout.
package docker

import _ "embed"

// Version is the Neo4j version in every file of this package.
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
