package config

// Environment variables that are more than the value of one setting.
const (
	EnvConfig   = "NEORAG_CONFIG" // the file of settings
	EnvHome     = "NEORAG_HOME"   // folder of local servers and answers
	EnvCache    = "NEORAG_CACHE"
	EnvURI      = "NEO4J_URI"
	EnvUser     = "NEO4J_USERNAME"
	EnvPassword = "NEO4J_PASSWORD"
	EnvDatabase = "NEO4J_DATABASE"

	EnvBaseURL       = "NEORAG_BASE_URL"
	EnvAPIKey        = "NEORAG_API_KEY"
	EnvOpenAIBaseURL = "OPENAI_BASE_URL"
	EnvOpenAIKey     = "OPENAI_API_KEY"

	EnvQueueToken = "NEORAG_QUEUE_TOKEN" // of the queue of `neorag work`
)
