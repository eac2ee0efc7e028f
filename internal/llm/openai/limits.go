package openai

// Bounds in bytes of what is read of an answer. They are far above what models write and
// keep a broken server from filling the memory.
const (
	maxText = 16 << 20 // text, reasoning and refusal of a streamed answer together
	maxLine = 1 << 20  // one event of a stream
)

// maxWhole returns the bound of an answer that is not streamed. A token is rarely more
// than 10 bytes; JSON may escape each of them with 6.
func maxWhole(maxTokens int) int64 {
	return proportional(1<<20, 256, maxTokens, maxText)
}

// maxStream returns the bound of a stream, in which each token may be an event.
func maxStream(maxTokens int) int64 {
	return proportional(4<<20, 4<<10, maxTokens, 64<<20)
}

// proportional returns base and a number of bytes for each token, or most if the tokens
// are not limited.
func proportional(base, each int64, maxTokens int, most int64) int64 {
	if maxTokens <= 0 || int64(maxTokens) > (most-base)/each {
		return most
	}
	return base + each*int64(maxTokens)
}

// maxDimension is the dimension up to which vectors are read.
const maxDimension = 16 << 10

// maxVectors returns the bound of an answer with n vectors. A number takes up to 25 bytes
// as text, and some servers indent it; base64 is shorter.
func maxVectors(n, dimension int) int64 {
	if dimension <= 0 {
		dimension = maxDimension
	}
	const envelope, perVector, perNumber = 64 << 10, 1 << 10, 64
	return envelope + int64(n)*(perVector+perNumber*int64(dimension))
}
