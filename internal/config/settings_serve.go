package config

// DefaultServeAddress is where `neorag serve` listens.
const DefaultServeAddress = "127.0.0.1:7480"

// EnvServeToken is the variable with the token of `neorag serve`.
const EnvServeToken = "NEORAG_SERVE_TOKEN" //nolint:gosec // a name

// serveSettings configure `neorag serve` and `neorag mcp`.
func serveSettings() []Setting {
	return withRisk(Opens, []Setting{
		{
			Key:  Key{Name: "serve.address", Default: one(DefaultServeAddress), Doc: "Address and port where `neorag serve` listens; port 0 picks a free one. An address\nthat other machines can reach needs a token (" + EnvServeToken + ")."},
			Flag: "address", Env: one("NEORAG_SERVE_ADDRESS"), Usage: "listen at `HOST:PORT`; an address that other machines can reach needs a token (" + EnvServeToken + ")",
		},
		{
			Key:  Key{Name: "serve.hosts", Kind: List, Doc: "Names under which clients reach the server, such as the name of a proxy, besides addresses and localhost."},
			Flag: "host", Env: one("NEORAG_SERVE_HOSTS"), Usage: "let clients in that reach the server as `NAME`, such as the name of a proxy; may be repeated", DefaultText: "addresses and localhost",
		},
		{
			Key:  Key{Name: "serve.corpora", Kind: List, Doc: "Patterns of the corpora that clients may ask, such as news*. Empty: all."},
			Flag: "show", Env: one("NEORAG_SERVE_CORPORA"), Usage: "let clients ask the corpora that match `PATTERN`, such as news*; may be repeated", DefaultText: "all corpora",
		},
		{
			Key:  Key{Name: "serve.read_only", Kind: Switch, Default: one("false"), Doc: "true: clients can neither add or delete documents nor start a run."},
			Flag: "read-only", Env: one("NEORAG_SERVE_READ_ONLY"), Usage: "let clients neither add or delete documents nor start a run",
		},
		{
			Key:  Key{Name: "serve.documents", Kind: Path, Doc: "Folder where documents are kept that clients add, one folder for each corpus.\nEmpty: $NEORAG_HOME/documents, or neorag/documents in your data folder."},
			Flag: "documents", Env: one("NEORAG_SERVE_DOCUMENTS"), Usage: "keep documents that clients add in `FOLDER`", DefaultText: "$" + EnvHome + "/documents, or ~/.local/share/neorag/documents on Linux",
		},
		{
			Key:  Key{Name: "serve.roots", Kind: List, Doc: "CORPUS=FOLDER: folders that runs of the server index too, besides documents that clients add."},
			Flag: "root", Env: one("NEORAG_SERVE_ROOTS"), Usage: "index `CORPUS=FOLDER` too in runs of that corpus; may be repeated", DefaultText: "only documents that clients add",
		},
		{
			Key:  Key{Name: "serve.runs", Kind: Switch, Default: one("true"), Doc: "false: the server only requests runs, which another `neorag serve` or `neorag index --requested --watch`\nwith the same Neo4j and folders executes."},
			Flag: "runs", Env: one("NEORAG_SERVE_RUNS"), Usage: "execute the runs that are requested; --runs=false leaves them to other processes with the same Neo4j and folders",
		},
	})
}
