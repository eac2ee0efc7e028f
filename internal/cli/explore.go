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
	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neobrowser"
	"github.com/neorag/neorag/internal/terminal"
)

func (c *command) explore() *ucli.Command {
	return &ucli.Command{
		Name:  "explore",
		Usage: "look at a corpus in Neo4j Browser, with colours, queries and a guide",
		Description: "Style sheets, favourites and a guide are made of the corpus and served to the Browser on this machine\n" +
			"while the command runs; Ctrl-C ends it. What is indexed meanwhile shows at the next start.",
		Flags: []ucli.Flag{
			corpusFlag(), dataFlag(),
			&ucli.StringFlag{Name: "browser", Usage: "`ADDRESS` of Neo4j Browser", DefaultText: "of the local server, else port 7474 of the server's machine"},
			&ucli.IntFlag{Name: "port", Usage: "`PORT` on 127.0.0.1 to serve at", DefaultText: "a free one"},
			&ucli.BoolFlag{Name: "no-open", Usage: "do not open the Browser", DisableDefaultText: true},
			&ucli.StringFlag{Name: "export", Usage: "write the files into `FOLDER` instead of serving them"},
		},
		Action: c.runExplore,
	}
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

func (c *command) runExplore(cc *ucli.Context) error {
	name, err := c.corpus(cc)
	if err != nil {
		return err
	}
	var corpus neobrowser.Corpus
	err = c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		corpus, err = readExplore(cc.Context, store, name)
		return err
	})
	if err != nil {
		return err
	}
	if dir := cc.String("export"); dir != "" {
		return c.exportExplore(cc, corpus, dir)
	}
	return c.serveExplore(cc, corpus)
}

// exportExplore writes the files into a folder, which is made if need be.
func (c *command) exportExplore(cc *ucli.Context, corpus neobrowser.Corpus, dir string) error {
	files, err := neobrowser.Files(corpus, "")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder for styles: %w", err)
	}
	out := Explore{Corpus: corpus.Name, Base: dir, Files: []string{}}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", f.Name, err)
		}
		out.Files = append(out.Files, f.Name)
	}
	if cc.Bool("json") {
		return c.printJSON(out)
	}
	c.printf("%s: %s\nDrop a .grass file, or %s, on the window of Neo4j Browser.\n", dir, strings.Join(out.Files, ", "), neobrowser.FavouritesName)
	return nil
}

// serveExplore serves the files until the context ends.
func (c *command) serveExplore(cc *ucli.Context, corpus neobrowser.Corpus) error {
	to, err := c.browser(cc)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(cc.Context, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(cc.Int("port"))))
	if err != nil {
		return &userError{code: exitFailure, message: "serve the styles: " + err.Error(), hint: "give another --port, or none for a free one", cause: err}
	}
	// Before anybody has logged in, the Browser trusts this name of the machine alone.
	base := "http://localhost:" + port(listener)
	files, err := neobrowser.Files(corpus, base)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	out := Explore{
		Corpus: corpus.Name, Browser: neobrowser.Address(to.browser, to.uri, to.user, base+"/"+neobrowser.GuideName),
		User: to.user, Password: to.password, Base: base, Files: []string{},
	}
	for _, f := range files {
		out.Files = append(out.Files, f.Name)
	}
	if cc.Bool("json") {
		err = c.printJSON(out)
	} else {
		c.printExplore(out, corpus)
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if !cc.Bool("no-open") && !cc.Bool("json") {
		if err := terminal.OpenBrowser(cc.Context, out.Browser); err != nil {
			c.note(cc, "open the address yourself: %v", err)
		}
	}
	return serve(cc.Context, listener, neobrowser.Handler(files, neobrowser.Origins(to.browser)))
}

func (c *command) printExplore(e Explore, corpus neobrowser.Corpus) {
	c.printf("Corpus %s in Neo4j Browser: %s\nuser %s, password in %s\n\n", e.Corpus, e.Browser, e.User, e.Password)
	c.printf("After you have connected, try these three in the editor of the Browser:\n")
	c.printf("  :guide %s/%s\n    a tour of the corpus, with queries to click on\n", e.Base, neobrowser.GuideName)
	sheet := neobrowser.TypesName
	if corpus.Levels() > 0 {
		sheet = neobrowser.LevelName(0)
	}
	c.printf("  :style %s/%s\n    colours; also there: %s\n", e.Base, sheet, strings.Join(e.Files, ", "))
	c.printf("  drop %s/%s on its window\n    %d queries as favourites\n\nCtrl-C ends this.\n", e.Base, neobrowser.FavouritesName, len(corpus.Queries))
}

func port(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String()) // a listener has one
	return port
}

// serve ends, without an error, when the context does.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 1 << 16}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve the styles: %w", err)
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(limited); err != nil {
		_ = server.Close() // whoever still reads has had a second
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the styles: %w", err)
	}
	return nil
}

// readExplore reads what the files of a corpus are made of.
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

// exploreQueries are the saved queries with their values for the corpus.
// One that the corpus has no values for, such as claims without a claim, is left out.
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

// A target is where the Browser is and what it connects to.
type target struct{ browser, uri, user, password string }

// browser finds the Browser of the server that is used.
func (c *command) browser(cc *ucli.Context) (target, error) {
	given := cc.String("browser")
	if u, err := url.Parse(given); given != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return target{}, usage("browser %q: give an address such as http://localhost:7474", given)
	}
	given = strings.TrimSuffix(strings.TrimSuffix(given, "/"), "/browser")
	if uri := c.get(cc, "neo4j-uri").text(); uri != "" {
		to := target{cmp.Or(given, besides(uri)), uri, cmp.Or(c.get(cc, "neo4j-username").text(), defaultUser), envPassword}
		return to, nil
	}
	server, err := localneo4j.Find(c.serverData(cc))
	if err != nil {
		return target{}, fmt.Errorf("find the local server: %w", err)
	}
	if server.HTTP == "" && given == "" {
		return target{}, &userError{code: exitFailure, message: "the local server runs without Neo4j Browser", hint: "run `neorag down`, then `neorag up`"}
	}
	return target{cmp.Or(given, server.HTTP), server.URI, server.User, server.PasswordFile}, nil
}

// besides is where a server at an address has its Browser unless set otherwise.
func besides(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(u.Scheme, "+s") || strings.HasSuffix(u.Scheme, "+ssc") {
		return "https://" + net.JoinHostPort(u.Hostname(), "7473")
	}
	return "http://" + net.JoinHostPort(u.Hostname(), "7474")
}
