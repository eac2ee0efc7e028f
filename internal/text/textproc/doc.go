// Package textproc processes text without a model. Every function depends on its
// arguments alone: equal text gives equal results on every machine and in every
// run. English is known best; other languages and scripts get a simpler treatment.
//
// # Sentences
//
// Sentences splits a text at end marks, unless an abbreviation, an initial, a number
// or a quotation that continues explains them. Lines that look wrapped are joined; blank lines
// separate. A chat log (IsChat) is split by message. Analyze does the same and keeps
// the tokens of each sentence. What is not prose, such as a table of contents, references,
// the header of a page or the head of a comment, is split off and marked as a Fragment: it
// remains text that is found, and states nothing.
//
// # Names
//
// Analyze also counts how the running text writes each word. That is what Names rests
// on: a capital letter marks a name in the middle of a sentence, and marks nothing
// where every word has one. Word lists, one file a class under lists/, decide the
// rest: titles, first names, places, common nouns, verbs.
//
// # Terms
//
// Terms turns a text into what full-text search compares: words in lower case without
// accents, without stop words, reduced to their stem. Index and question use the same
// function. Pairs of neighbouring terms find phrases. ReadQuestion reads a question,
// Clean removes the navigation of web pages, Passages cuts the result into passages,
// and HeaderTerms makes the terms that every passage of a document carries.
//
// # Vectors
//
// Vector is feature hashing: terms, pairs of terms and byte n-grams are hashed onto
// the dimensions of a vector with a sign. Texts with common words, phrases or spellings
// have a high cosine. Centrality ranks sentences by a random walk over shared terms, as
// LexRank does, and a SentenceScorer ranks them for a question.
package textproc
