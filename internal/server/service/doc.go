// Package service is what a server offers, whatever the protocol: contexts, answers, documents, reports
// and entities of the corpora that it shows.
//
// What comes in are questions and names from clients, which are not trusted; what goes out are values that
// are ready for JSON, with links to the pages of the server. It reads the graph and never writes to it.
// An error of a client is an *Error, whose reason a protocol turns into its own code.
package service
