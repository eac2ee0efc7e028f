package graph

// Places say where the text of a document is in its file. The zero value means that the text
// was made from another format, of which nothing more is known.
type Places struct {
	Row      int       // of a table or list, from 1, with the header; 0 if the file is one document
	Line     int       // of the file, from 1, on which the document begins; 0 if its lines are not lines of the file
	Verbatim bool      // the text is a part of the file, except its line ends
	Offset   int       // byte of the file at which a verbatim text begins
	Breaks   []int     // line ends of a verbatim text that have two bytes in the file, as byte offsets in the text
	Pages    []Page    // in order; a page without text is left out
	Sections []Section // in order
}

// A Page is where a page begins.
type Page struct {
	Number int // from 1
	Start  int // byte offset in the document's text
}

// A Section is a part of a document from one heading to the next one.
type Section struct {
	Path  string // the headings above it and its own, separated by " > "
	Start int    // byte offset in the document's text
}

// A ChunkPlace says where a chunk is in the file of its document. Of each list, the last element
// that starts at or before a byte of the chunk is the place of that byte.
type ChunkPlace struct {
	Line               int // of the file, from 1, on which the chunk begins; 0 if unknown
	FileStart, FileEnd int // bytes of the file; FileEnd is 0 if the text is not part of the file as it is
	Pages, PageStarts  []int
	Headings           []string // paths
	HeadingStarts      []int
}

// SectionMentions counts the mentions of an entity in a section of a document.
type SectionMentions struct {
	Document string // key
	Title    string // of the document
	Path     string // of the section, as in Section; "" before the first heading
	N        int
}
