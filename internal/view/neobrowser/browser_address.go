package neobrowser

import (
	"net/url"
	"strings"
)

// Address returns the address that opens Neo4j Browser with the URI of a server, the user
// and, unless it is "", the database filled in, and shows a guide unless that is "".
func Address(browser, uri, user, database, guide string) string {
	scheme, host, _ := strings.Cut(uri, "://")
	address := strings.TrimSuffix(browser, "/") + "/browser/?dbms=" + scheme + "://" + url.PathEscape(user) + "@" + strings.TrimSuffix(host, "/")
	if database != "" {
		address += "&db=" + url.QueryEscape(database)
	}
	if guide != "" {
		address += "&cmd=guide&arg=" + url.QueryEscape(guide)
	}
	return address
}
