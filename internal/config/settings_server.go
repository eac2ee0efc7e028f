package config

// DefaultNeo4jUser is the user of a Neo4j for which none is named.
const DefaultNeo4jUser = "neo4j"

// serverSettings locate Neo4j, and configure the local server.
func serverSettings() []Setting {
	return []Setting{
		{Key: Key{Name: "neo4j.uri", Doc: "Address, such as bolt://localhost:7687. Empty: the local server of `neorag up`."}, Flag: "neo4j-uri", Env: one(EnvURI), DefaultText: "the local server of `neorag up`"},
		{Key: Key{Name: "neo4j.username", Default: one(DefaultNeo4jUser)}, Flag: "neo4j-username", Env: one(EnvUser)},
		{Key: Key{Name: "neo4j.database", Doc: "Empty: the home database of that user."}, Flag: "neo4j-database", Env: one(EnvDatabase), DefaultText: "the home database of that user"},
		{Key: Key{Name: "server.data", Kind: Path, Doc: "Folder for the data of the server. Empty: $NEORAG_HOME/neo4j, or neorag/neo4j in your data folder,\nwhich is ~/.local/share on Linux."}, Flag: "data", Env: one("NEORAG_SERVER_DATA"), DefaultText: "$" + EnvHome + "/neo4j, or ~/.local/share/neorag/neo4j on Linux"},
		{Key: Key{Name: "server.bolt_port", Kind: Natural, Default: one("7687"), Doc: "Port for programs that use Neo4j (Bolt protocol); 0 picks a free one."}, Flag: "bolt-port"},
		{Key: Key{Name: "server.http_port", Kind: Natural, Default: one("7474"), Doc: "Port of Neo4j Browser; 0 picks a free one."}, Flag: "http-port"},
		{Key: Key{Name: "server.heap", Kind: Natural, Doc: "Java heap of the server, in MB. Empty: an eighth of the memory, from 1024 to 8192, but at most\na quarter of the memory."}, Flag: "heap", DefaultText: "an eighth of the memory, from 1024 to 8192", Env: one("NEORAG_SERVER_HEAP")},
		{Key: Key{Name: "server.page_cache", Kind: Natural, Doc: "Memory that the server may use to cache the graph, in MB. Empty: what the heap leaves of half of\nthe memory, at most 32768."}, Flag: "page-cache", DefaultText: "what the heap leaves of half of the memory, at most 32768", Env: one("NEORAG_SERVER_PAGE_CACHE")},
		{Key: Key{Name: "server.mode", Default: one("auto"), Choices: []string{"auto", "docker", "java"}, Doc: "How to run the server: auto, docker or java."}, Flag: "mode", Only: "up", Env: one("NEORAG_SERVER_MODE")},
	}
}
