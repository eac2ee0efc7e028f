// Package query answers questions over indexed corpora, with evidence. It reads
// the graph and never writes it.
//
// Package query holds what all methods share: questions, answers, the engine. A method is one
// subpackage of methods: it retrieves a context from the question's scope and passes it to package
// synth, which writes the answer with a model or chooses sentences of the context. Package cite then
// resolves every statement down to words in a document: each number in an answer has one reference.
//
// In: a question and the corpora it is asked of. Out: an answer, its references and its costs.
//
// Subpackages, in the order in which a question passes them:
//
//   - conversation rewrites a follow-up question so that it can be understood alone;
//   - methods has the methods, and auto among them, which lets route choose one;
//   - overview answers questions about a whole corpus from the graph, without a model;
//   - keywords and expand prepare a search;
//   - retrieve finds the context, and rank orders and packs it;
//   - synth writes the answer;
//   - cite gives every statement its evidence.
package query
