// Package query answers questions over indexed corpora, with evidence. It reads
// the graph and never writes it.
//
// A method is one file: it retrieves a context from the question's scope and
// passes it to package synth, which writes the answer with a model or chooses
// sentences of the context. Package cite then resolves every statement down to
// words in a document: each number in an answer has one reference.
//
// In: a question and the corpora it is asked of. Out: an answer, its references and its costs.
//
// Subpackages, in the order in which a question passes them:
//
//   - conversation rewrites a follow-up question so that it can be understood alone;
//   - route chooses the method;
//   - keywords and expand prepare a search;
//   - retrieve finds the context, and rank orders and packs it;
//   - synth writes the answer;
//   - cite gives every statement its evidence.
package query
