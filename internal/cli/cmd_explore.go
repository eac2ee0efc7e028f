package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/ui/terminal"
	"github.com/neorag/neorag/internal/view/neobrowser"
)

func newExploreCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "explore",
		Usage: "open a corpus in Neo4j Browser, with colours, queries and a guide",
		Description: "Creates style sheets, favourites and a guide for the corpus, and serves them from this machine to Neo4j Browser\n" +
			"until you press Ctrl-C. Restart the command to include what has been indexed meanwhile.",
		Flags: append([]ucli.Flag{
			corpusFlag(),
			&ucli.StringFlag{Name: "browser", Usage: "use the Neo4j Browser at `ADDRESS`", DefaultText: "the browser of the local server, else port 7474 on the server's machine"},
			&ucli.IntFlag{Name: "port", Usage: "serve the files at `PORT` on 127.0.0.1", DefaultText: "a free one"},
			&ucli.BoolFlag{Name: "no-open", Usage: "do not open the browser", DisableDefaultText: true},
			&ucli.StringFlag{Name: "export", Usage: "write the files to `FOLDER` instead of serving them"},
		}, serverFlags()...),
		Action: action(env, exploreOptionsFrom, runExplore),
	}
}

type exploreOptions struct {
	corpus  string
	browser string // address; "" means the server's browser
	port    int    // 0 means a free one
	noOpen  bool
	folder  string // to export to; "" for none
}

func exploreOptionsFrom(cc invocation) (exploreOptions, error) {
	o := exploreOptions{port: cc.Int("port"), noOpen: cc.Bool("no-open"), folder: cc.String("export")}
	given := cc.String("browser")
	if u, err := url.Parse(given); given != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return o, usage("--browser %q: give an address such as http://localhost:7474", given)
	}
	o.browser = strings.TrimSuffix(strings.TrimSuffix(given, "/"), "/browser")
	var err error
	o.corpus, err = corpusFrom(cc)
	return o, err
}

// Explore is the shape of `explore --json`.
type Explore struct {
	Corpus   string   `json:"corpus"`
	Browser  string   `json:"browser"` // address to open, with the guide
	User     string   `json:"user"`
	Password string   `json:"password_in"` // the file, or the variable, that holds it
	Base     string   `json:"base"`        // address, or folder, of the files
	Files    []string `json:"files"`
}

func runExplore(ctx context.Context, env *environment, o exploreOptions) error {
	var corpus neobrowser.Corpus
	var database string
	err := withStore(ctx, env, func(store *neo4jstore.Store) (err error) {
		database = store.ServerInfo().Database
		corpus, err = readExplore(ctx, store, o.corpus)
		return err
	})
	if err != nil {
		return err
	}
	if o.folder != "" {
		return exportExplore(env, corpus, o.folder)
	}
	return serveExplore(ctx, env, corpus, database, o)
}

// exportExplore writes the files to a folder, which it creates if necessary.
func exportExplore(env *environment, corpus neobrowser.Corpus, dir string) error {
	files, err := neobrowser.Files(corpus, "")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create folder %s: %w", dir, err)
	}
	out := Explore{Corpus: corpus.Name, Base: dir, Files: []string{}}
	for _, f := range files {
		if err := userfile.Write(filepath.Join(dir, f.Name), 0o644, f.Body); err != nil {
			return fmt.Errorf("export %s: %w", f.Name, err)
		}
		out.Files = append(out.Files, f.Name)
	}
	return env.print(out, func() {
		env.printf("%s: %s\nDrop a .grass file, or %s, onto the window of Neo4j Browser.\n", dir, strings.Join(out.Files, ", "), neobrowser.FavouritesName)
	})
}

// serveExplore serves the files until the context is done.
func serveExplore(ctx context.Context, env *environment, corpus neobrowser.Corpus, database string, o exploreOptions) error {
	to, err := findBrowser(env, o.browser)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(o.port)))
	if err != nil {
		return failure(err, "serve the files: "+err.Error(), "give another --port, or none for a free one")
	}
	// Before the login, the Browser only trusts this name of the machine.
	base := "http://localhost:" + portOf(listener)
	files, err := neobrowser.Files(corpus, base)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	out := Explore{
		Corpus: corpus.Name, Browser: neobrowser.Address(to.browser, to.uri, to.user, database, base+"/"+neobrowser.GuideName),
		User: to.user, Password: env.withoutFolders(to.password), Base: base, Files: []string{},
	}
	for _, f := range files {
		out.Files = append(out.Files, f.Name)
	}
	if err := env.print(out, func() { printExplore(env, out, corpus) }); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !o.noOpen && !env.json {
		if err := terminal.OpenBrowser(ctx, out.Browser); err != nil {
			env.note("cannot open the browser; open the address yourself: %v", err)
		}
	}
	return serve(ctx, listener, neobrowser.Handler(files, neobrowser.Origins(to.browser)))
}

func printExplore(env *environment, e Explore, corpus neobrowser.Corpus) {
	env.printf("Corpus %s in Neo4j Browser: %s\nuser %s, password in %s\n\n", e.Corpus, e.Browser, e.User, e.Password)
	env.printf("Once connected, try these in the editor of the Browser:\n")
	env.printf("  :guide %s/%s\n    a tour of the corpus, with queries to click\n", e.Base, neobrowser.GuideName)
	sheet := neobrowser.TypesName
	if corpus.Levels() > 0 {
		sheet = neobrowser.LevelName(0)
	}
	env.printf("  :style %s/%s\n    colours; other files: %s\n", e.Base, sheet, strings.Join(e.Files, ", "))
	env.printf("  drop %s/%s onto its window\n    %d queries as favourites\n\nCtrl-C stops the server.\n", e.Base, neobrowser.FavouritesName, len(corpus.Queries))
}

// portOf returns the port that a listener listens at.
func portOf(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String()) // the address of a listener has one
	return port
}

// serve serves until the context is done, and then returns nil.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 1 << 16}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve the files: %w", err)
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(limited); err != nil {
		_ = server.Close() // a client still reads after a second
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the files: %w", err)
	}
	return nil
}

// readExplore reads what the files show of a corpus.
func readExplore(ctx context.Context, store *neo4jstore.Store, name string) (neobrowser.Corpus, error) {
	corpus := neobrowser.Corpus{Name: name}
	counts, err := store.Counts(ctx, name)
	if err != nil {
		return corpus, err
	}
	corpus.Numbers = neobrowser.Numbers{
		Documents: counts.Documents, Entities: counts.Entities, Relationships: counts.Relationships, Communities: counts.Communities, Reports: counts.Reports,
	}
	generation, err := store.Generation(ctx, name)
	if err != nil {
		return corpus, err
	}
	if corpus.Communities, err = store.Communities(ctx, name, generation, false); err != nil {
		return corpus, err
	}
	if corpus.Types, err = store.TypeLabels(ctx, name); err != nil {
		return corpus, err
	}
	corpus.Queries, err = exploreQueries(ctx, store, name)
	return corpus, err
}

// exploreQueries returns the saved queries with values from the corpus. It skips
// those that the corpus has no values for, such as claims without a claim.
func exploreQueries(ctx context.Context, store *neo4jstore.Store, corpus string) ([]neobrowser.Query, error) {
	all, err := cypher.SavedQueries()
	if err != nil {
		return nil, err
	}
	values, err := store.SavedQueryDefaults(ctx, corpus, all...)
	if err != nil {
		return nil, err
	}
	var queries []neobrowser.Query
	for i, q := range all {
		if text, err := q.Literal(corpus, values[i]); err == nil {
			queries = append(queries, neobrowser.Query{Name: q.Name, Title: q.Title, About: q.Description, Text: text, Draws: q.Draws})
		}
	}
	return queries, nil
}

// A target is the address of Neo4j Browser, and the server that it connects to.
type target struct {
	browser, uri, user string
	password           string // the file or variable that holds it
}

// findBrowser returns the Browser of the server in use.
func findBrowser(env *environment, given string) (target, error) {
	if uri := env.settings.Text("neo4j.uri"); uri != "" {
		user := cmp.Or(env.settings.Text("neo4j.username"), config.DefaultNeo4jUser)
		return target{cmp.Or(given, defaultBrowser(uri)), uri, user, config.EnvPassword}, nil
	}
	data, err := env.serverData()
	if err != nil {
		return target{}, err
	}
	server, err := localneo4j.Find(data)
	if err != nil {
		return target{}, fmt.Errorf("find the local server: %w", err)
	}
	if server.HTTP == "" && given == "" {
		return target{}, failure(nil, "the local server runs without Neo4j Browser", "run `neorag down`, then `neorag up`")
	}
	return target{cmp.Or(given, server.HTTP), server.URI, server.User, server.PasswordFile}, nil
}

// defaultBrowser returns the default address of the Browser of a server.
func defaultBrowser(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(u.Scheme, "+s") || strings.HasSuffix(u.Scheme, "+ssc") {
		return "https://" + net.JoinHostPort(u.Hostname(), "7473")
	}
	return "http://" + net.JoinHostPort(u.Hostname(), "7474")
}
