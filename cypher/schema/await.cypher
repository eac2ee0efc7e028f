// Wait until new indexes are online
// params: seconds
CALL db.awaitIndexes($seconds)
