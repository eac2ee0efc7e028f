package neobrowser

import (
	"net/url"
	"strings"
)

// Address returns the address that opens Neo4j Browser with the URI of a server and the
// user filled in, and shows a guide unless that is "".
func Address(browser, uri, user, guide string) string {
	scheme, host, _ := strings.Cut(uri, "://")
	address := strings.TrimSuffix(browser, "/") + "/browser/?dbms=" + scheme + "://" + url.PathEscape(user) + "@" + strings.TrimSuffix(host, "/")
	if guide != "" {
		address += "&cmd=guide&arg=" + url.QueryEscape(guide)
	}
	return address
}
