package config

import (
	"strings"

	"github.com/neorag/neorag/docker"
)

// DefaultNeo4jUser is the user of a Neo4j for which none is named.
const DefaultNeo4jUser = "neo4j"

// serverSettings locate Neo4j, and configure the local server.
func serverSettings() []Setting {
	return withRisk(Opens, []Setting{
		{
			Key:  Key{Name: "neo4j.uri", Doc: "Address, such as bolt://localhost:7687. Empty: the local server of `neorag up`."},
			Flag: "neo4j-uri", Group: GroupServer, Risk: Sends, Usage: "connect to Neo4j at `URI` (" + EnvURI + "); the password comes from " + EnvPassword, Env: one(EnvURI), DefaultText: "the local server of `neorag up`",
		},
		{
			Key:  Key{Name: "neo4j.username", Default: one(DefaultNeo4jUser)},
			Flag: "neo4j-username", Group: GroupServer, Risk: Sends, Usage: "log in to Neo4j as `USER` (" + EnvUser + ")", Env: one(EnvUser),
		},
		{
			Key:  Key{Name: "neo4j.database", Doc: "Name of the database. Empty: the home database of the user."},
			Flag: "neo4j-database", Group: GroupServer, Risk: Sends, Usage: "use the database `NAME` (" + EnvDatabase + ")", Env: one(EnvDatabase), DefaultText: "the home database of the user",
		},
		{
			Key:  Key{Name: "server.data", Kind: Path, Doc: "Folder for the data of the server. Empty: $NEORAG_HOME/neo4j, or neorag/neo4j in your data folder,\nwhich is ~/.local/share on Linux."},
			Flag: "data", Group: GroupServer, Usage: "keep the data of the local server in `FOLDER`", Env: one("NEORAG_SERVER_DATA"), DefaultText: "$" + EnvHome + "/neo4j, or ~/.local/share/neorag/neo4j on Linux",
		},
		{
			Key:  Key{Name: "server.bolt_port", Kind: Whole, Bounds: between(0, 65535), Default: one("7687"), Doc: "Port for programs that use Neo4j (Bolt protocol); 0 picks a free one."},
			Flag: "bolt-port", Usage: "listen for programs that use Neo4j (Bolt protocol) at `PORT`; 0 picks a free one",
		},
		{
			Key:  Key{Name: "server.http_port", Kind: Whole, Bounds: between(0, 65535), Default: one("7474"), Doc: "Port of Neo4j Browser; 0 picks a free one."},
			Flag: "http-port", Usage: "serve Neo4j Browser at `PORT`; 0 picks a free one",
		},
		{
			Key:  Key{Name: "server.heap", Kind: Whole, Bounds: between(0, maxMB), Doc: "Java heap of the server, in MB. Empty: an eighth of the memory, from 1024 to 8192, but at most\na quarter of the memory."},
			Flag: "heap", Usage: "use `MB` of memory for the Java heap of the server", DefaultText: "an eighth of the memory, from 1024 to 8192, but at most a quarter of the memory", Env: one("NEORAG_SERVER_HEAP"),
		},
		{
			Key:  Key{Name: "server.page_cache", Kind: Whole, Bounds: between(0, maxMB), Doc: "Memory that the server may use to cache the graph, in MB. Empty: what the heap leaves of half of\nthe memory, at most 32768."},
			Flag: "page-cache", Usage: "use up to `MB` of memory for the page cache, which holds the graph", DefaultText: "what the heap leaves of half of the memory, at most 32768", Env: one("NEORAG_SERVER_PAGE_CACHE"),
		},
		{
			Key:  Key{Name: "server.version", Choices: docker.Versions(), Doc: "Version of Neo4j that the local server runs. Empty: the version that wrote the data, or for new\ndata " + docker.Version + ", the release with long-term support."},
			Flag: "neo4j-version", Usage: "run Neo4j `VERSION`, one of the tested ones: " + strings.Join(docker.Versions(), ", ") + "; those from 2025 need Java 21 or 25", DefaultText: "the version that wrote the data, or for new data " + docker.Version, Env: one("NEORAG_SERVER_VERSION"),
		},
		{
			Key:  Key{Name: "server.mode", Default: one("auto"), Choices: []string{"auto", "docker", "java"}, Doc: "How to run the server: auto, docker or java."},
			Flag: "mode", Usage: "run the server in `MODE`: auto, docker or java", Env: one("NEORAG_SERVER_MODE"),
		},
	})
}
