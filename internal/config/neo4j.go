package config

import (
	"net/url"
	"strings"
)

const neo4jPort = "7687"

// Neo4jPassword returns the password for the server of neo4j.uri. Like the key of a
// model, it belongs to one server: the server of NEO4J_URI, if that is set, or else of
// neo4j.uri, which a file can only set if the user named or trusted the file. If a flag
// names another server than NEO4J_URI does, the password is not sent to it.
func (c *Config) Neo4jPassword() (string, error) {
	password, own, uri := c.getenv(EnvPassword), c.getenv(EnvURI), c.Get("neo4j.uri")
	if password == "" || own == "" || sameNeo4j(own, uri.Text()) {
		return password, nil
	}
	return "", mistake("%s is the password for the %s %s and is not sent to %s, which %s names: set %s to that server too, or unset it",
		EnvPassword, EnvURI, HostOf(own), HostOf(uri.Text()), uri.Where, EnvURI)
}

// sameNeo4j reports whether two addresses are on the same server, the second with TLS
// if the first has it.
func sameNeo4j(a, b string) bool {
	u, err := url.Parse(a)
	v, verr := url.Parse(b)
	if a == b || err != nil || verr != nil {
		return a == b
	}
	port := func(u *url.URL) string {
		if u.Port() == "" {
			return neo4jPort
		}
		return u.Port()
	}
	_, aTLS, _ := strings.Cut(u.Scheme, "+")
	_, bTLS, _ := strings.Cut(v.Scheme, "+")
	return strings.EqualFold(u.Hostname(), v.Hostname()) && port(u) == port(v) && (aTLS == "" || aTLS == bTLS)
}
