// The time of the server, in milliseconds since 1970
// params:
// returns: millis int
RETURN datetime.realtime().epochMillis AS millis
