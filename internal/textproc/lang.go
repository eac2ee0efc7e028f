// Package textproc is language without a model: it splits text into sentences and
// words, finds names and noun phrases, reads text and questions into the terms
// that full-text search compares, cleans web pages, cuts passages, hashes text
// into vectors and says which sentences are central.
//
// Everything here is a function of its arguments: equal text gives equal
// results on every machine and in every run, whatever else was read before.
package textproc
