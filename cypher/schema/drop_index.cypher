// Drop an index
// params: name
DROP INDEX $name IF EXISTS
