// Package methods registers all query methods: a program that imports it can ask by each of them.
//
// Each subpackage is one method: its search, its trace and what makes it known (Method). To add a
// method, add its folder and import it here.
package methods

import (
	_ "github.com/neorag/neorag/internal/query/methods/auto"
	_ "github.com/neorag/neorag/internal/query/methods/basic"
	_ "github.com/neorag/neorag/internal/query/methods/d2q"
	_ "github.com/neorag/neorag/internal/query/methods/drift"
	_ "github.com/neorag/neorag/internal/query/methods/fused"
	_ "github.com/neorag/neorag/internal/query/methods/global"
	_ "github.com/neorag/neorag/internal/query/methods/hyde"
	_ "github.com/neorag/neorag/internal/query/methods/kgr"
	_ "github.com/neorag/neorag/internal/query/methods/lazy"
	_ "github.com/neorag/neorag/internal/query/methods/light"
	_ "github.com/neorag/neorag/internal/query/methods/linear"
	_ "github.com/neorag/neorag/internal/query/methods/local"
	_ "github.com/neorag/neorag/internal/query/methods/mini"
	_ "github.com/neorag/neorag/internal/query/methods/ppr"
	_ "github.com/neorag/neorag/internal/query/methods/qcg"
	_ "github.com/neorag/neorag/internal/query/methods/rq"
	_ "github.com/neorag/neorag/internal/query/methods/text"
)
