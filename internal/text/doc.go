// Package text shortens texts for display (to one line, to the first line, to a number of
// characters or bytes) and counts things in messages. What depends on the language of a
// document is in package textproc.
//
// Subpackages:
//
//   - language detects the language of a text and knows stop words and stems;
//   - sanitize makes untrusted text safe to show;
//   - textproc splits text into sentences, words and terms;
//   - tokens counts and truncates texts in tokens.
package text
