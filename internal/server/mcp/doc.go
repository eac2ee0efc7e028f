// Package mcp offers a service to agents over the Model Context Protocol, on standard input and output or over
// HTTP.
//
// What comes in are messages of a client and a service; what goes out are results of tools, each as a value that
// matches the schema of its tool and as a text for a model. Texts of documents are fenced by a mark made of
// their hash, so that no document can pose as a message of the program. Each call ends in less than a minute,
// because clients wait no longer, and ends when its client has gone.
package mcp
