// Package ui groups what a person sees at a terminal.
//
// In: text and figures. Out: text with colours, tables and progress.
//
// Subpackages:
//
//   - markdown renders Markdown for a terminal and as HTML;
//   - terminal writes tables, progress and streamed answers.
package ui
