// Package bench groups the programs that measure. It is a module: nothing of it is part of the
// program. The targets of the Makefile build and run them. Package proc reads what processes use.
//
//   - answers: answers without a model, on suites of questions;
//   - costs: calls and tokens of a question by each method;
//   - documents: the text of PDF, Word and HTML files, compared with PyMuPDF and pandoc;
//   - figures: size and speed of the code of two commits;
//   - gleaning: entities found by size of chunks and number of gleanings;
//   - indexing: time, memory and cost of indexing, updating and reading;
//   - leiden: clustering, compared with other programs;
//   - operation: the given cases of daily operation, with two programs;
//   - qcg: ablations of the query-centric graph;
//   - retrieval: which documents the methods find;
//   - savedqueries: time of the saved queries;
//   - scale: what corpora of up to a billion chunks need, by a simulation;
//   - serving: the server under load, while it indexes;
//   - stages: stages of indexing on generated graphs of growing size;
//   - toys: over how many files a new method, setting or artifact of a corpus is spread.
package bench
