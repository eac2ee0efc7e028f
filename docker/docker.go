// Package docker holds the files that make a local Neo4j: the Compose file,
// and for machines without Docker the Maven project that names the server's
// jars with the lock file that says what each must be. They are embedded, so
// that the program needs no checkout.
package docker

import _ "embed"

// Version is the Neo4j version that every file of this package names.
const Version = "5.26.30"

// Compose is the Compose file of the Docker path.
//
//go:embed compose.yaml
var Compose []byte

// POM is the Maven project of the Java path.
//
//go:embed neo4j-local/pom.xml
var POM []byte

// Lock lists the jars of the Java path, one a line: name, SHA-256.
//
//go:embed neo4j-local/jars.lock
var Lock []byte
