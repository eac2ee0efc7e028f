// Version and edition of the server, in the clauses that the database system supports too
// params:
// returns: name string, versions []string, edition string
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition
