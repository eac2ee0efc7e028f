// Package server answers questions over HTTP: an API in JSON for programs, an interface for clients of
// OpenAI, and pages for a browser.
//
// What comes in are requests and a service; what goes out are answers with their evidence. The subpackage
// service holds what every protocol offers, and mcp offers it to agents over the Model Context Protocol;
// files keeps documents that clients add, runs decides when they are indexed, and servertest provides tests with services.
// The server writes nothing to the graph itself: runs of an index are functions that the caller hands in.
//
// No request names an address of a database, a file of the server or a statement in Cypher. Every
// request passes the fences of Fence before anything is read.
package server
