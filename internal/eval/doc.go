// Package eval measures retrieval, which documents the methods find for questions whose
// evidence is known, and the evidence of answers: whether quotes support statements.
//
// In: questions with known evidence or answers, and an engine that answers them.
// Out: figures with intervals, as tables and as a folder that an interrupted run continues.
//
// Subpackages:
//
//   - score scores answers and searches: claims, agreement with known answers, ranks;
//   - claimset measures sets of claims;
//   - evalimport reads questions from files with any names of fields;
//   - evalreport computes what an evaluation shows;
//   - evalrun keeps an evaluation in one folder;
//   - headtohead has a model compare two answers;
//   - personas has a model write questions about a whole corpus;
//   - stats has tests, corrections, intervals and agreement.
package eval
