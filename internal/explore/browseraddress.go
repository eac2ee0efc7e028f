package explore

import (
	"net/url"
	"strings"
)

// Address opens Neo4j Browser with the connection to a server and the user
// filled in, and with a guide if there is one. The Browser reads a guide before
// anybody has logged in, and trusts then only the name localhost.
func Address(browser, uri, user, guide string) string {
	scheme, host, _ := strings.Cut(uri, "://")
	address := strings.TrimSuffix(browser, "/") + "/browser/?dbms=" + scheme + "://" + url.PathEscape(user) + "@" + strings.TrimSuffix(host, "/")
	if guide != "" {
		address += "&cmd=play&arg=" + url.QueryEscape(strings.Replace(guide, "//127.0.0.1", "//localhost", 1))
	}
	return address
}
