// Package source turns paths into documents: it lists files, reads them, detects
// their encoding, and extracts text, title, date and metadata. format.go lists all
// formats. Formats of one document have subpackages; formats of many records, such as
// CSV and JSON, have a file of their name here.
//
// Reading is deterministic: the same bytes under the same name give the same
// documents. The modification time of a file has no influence.
//
// Files are not trusted. PDF files and archives are parsed in a sandbox, a child
// process with limited memory and time, because a small file can unpack to any
// size. A file that is made to exhaust memory fails alone, with its name.
//
// In: paths and addresses. Out: documents (graph.Document).
//
// Subpackages:
//
//   - decode finds the encoding of texts and decodes them;
//   - epub reads electronic books;
//   - filestate remembers which documents files hold, so that unchanged files are not read;
//   - html reads web pages;
//   - mail reads messages and mailboxes;
//   - markup reads plain text, Markdown and other texts with marks;
//   - odt reads OpenDocument texts;
//   - office reads archives of XML parts, which Word documents and others are;
//   - parse is the contract of all readers, and what they share;
//   - pdftext reads the text of PDF files;
//   - plain writes tables, lists and raised text in plain text;
//   - rtf reads Rich Text Format;
//   - sheets reads workbooks;
//   - slides reads presentations;
//   - web turns addresses of pages into files;
//   - word reads Word documents.
package source
