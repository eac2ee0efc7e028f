package source

var _ = register(format{
	mime:       "text/plain",
	extensions: []string{".txt", ".text", ".log"},
	read:       readMarkup(nil),
})

// Source code is read as text.
var _ = register(format{
	mime: "text/x-source",
	extensions: []string{
		".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".go", ".java", ".js", ".jsx", ".ts", ".tsx", ".kt", ".swift", ".scala", ".py", ".rb", ".rs", ".php",
		".pl", ".lua", ".r", ".jl", ".m", ".sh", ".bash", ".ps1", ".sql", ".tex",
	},
	read: readMarkup(nil),
})
