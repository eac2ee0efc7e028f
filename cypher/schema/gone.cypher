// Nodes of a kind that ended, to delete them
// params:
// for: Community, Report
CREATE INDEX __kind___gone IF NOT EXISTS FOR (n:__Kind__) ON (n.gone, n.key)
