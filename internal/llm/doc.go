// Package llm defines the interfaces to language and embedding models and the chain of
// decorators that every call passes: usage and cost, cache, structured answers, retries,
// budget, limits, and finally a provider. It contains no prompts for a task.
//
// In: messages or texts. Out: a model's answer, its usage and its cost.
//
// Subpackages:
//
//   - calllog writes a line of JSON for each call to a file;
//   - httplimit bounds what a server can send, and how long it can be silent;
//   - known holds what is learnt of a server from its answers;
//   - llmtest is a server with the OpenAI interface for tests;
//   - localmodels finds the model servers that run on this machine;
//   - openai is the client for servers with the OpenAI interface;
//   - prices lists what common models cost at their providers;
//   - remote sends calls through a queue to machines that fetch them;
//   - rerank is the client for reranking servers.
package llm
