package neobrowser

import (
	"net/url"
	"strings"
)

// Address opens Neo4j Browser with the connection to a server and the user
// filled in, and with a guide beside it if there is one.
func Address(browser, uri, user, guide string) string {
	scheme, host, _ := strings.Cut(uri, "://")
	address := strings.TrimSuffix(browser, "/") + "/browser/?dbms=" + scheme + "://" + url.PathEscape(user) + "@" + strings.TrimSuffix(host, "/")
	if guide != "" {
		address += "&cmd=guide&arg=" + url.QueryEscape(guide)
	}
	return address
}
