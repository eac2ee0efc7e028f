"""Runs one peer on one graph, once for each task on its standard input.

    python peers.py PEER GRAPH.bin LABELS

A request is a line "TASK WORKERS SEED"; the peers use one thread whatever the
number of workers. The answer is one line of JSON: ms, the time of the algorithm;
overhead_ms, the part of a call that converts edges and names; peak and before,
the resident memory in bytes at its peak and at the start. LABELS then contains
the partition: the number of levels, and for each level one label per node, all
as uint32; NONE means no community.
"""

import json
import random
import statistics
import sys
import time

import numpy

NONE = 0xFFFFFFFF
MAX_SIZE = 10  # communities of at least this size are split further
RANDOMNESS = 0.001  # as GraphRAG calls graspologic
ITERATIONS = 2  # of igraph and leidenalg: the default of leidenalg
# A request is run several times in a row, and the median is reported.
REPEATS = 25
REPEAT_FOR = 0.2  # seconds
LEAST_REPEATS = 3  # even if they take longer,
LEAST_BELOW = 3.0  # if the first took less than this, in seconds


def read(path):
    """Reads the format of the generator: nodes, edges, then source, target, weight."""
    with open(path, "rb") as f:
        nodes, edges = numpy.fromfile(f, dtype="<i8", count=2)
        kind = numpy.dtype([("u", "<i4"), ("v", "<i4"), ("w", "<f8")])
        return int(nodes), numpy.fromfile(f, dtype=kind, count=edges)


class Igraph:
    def __init__(self, nodes, edges):
        import igraph

        ends = numpy.column_stack((edges["u"], edges["v"]))
        self.graph = igraph.Graph(n=nodes, edges=ends)
        self.weights = edges["w"].tolist()

    def run(self, task, seed):
        random.seed(seed)  # the source of igraph
        start = time.perf_counter()
        found = self.graph.community_leiden(
            objective_function="modularity",
            weights=self.weights,
            resolution=1,
            n_iterations=ITERATIONS,
        )
        took = time.perf_counter() - start
        return [numpy.array(found.membership, dtype="<u4")], took, 0.0


class Leidenalg(Igraph):
    def run(self, task, seed):
        import leidenalg

        start = time.perf_counter()
        found = leidenalg.find_partition(
            self.graph,
            leidenalg.ModularityVertexPartition,
            weights=self.weights,
            n_iterations=ITERATIONS,
            seed=seed,
        )
        took = time.perf_counter() - start
        return [numpy.array(found.membership, dtype="<u4")], took, 0.0


class Graspologic:
    def __init__(self, nodes, edges):
        import graspologic_native

        self.native = graspologic_native
        self.nodes = nodes
        names = [str(i) for i in range(nodes)]
        self.edges = [
            (names[u], names[v], w)
            for u, v, w in zip(
                edges["u"].tolist(), edges["v"].tolist(), edges["w"].tolist()
            )
        ]

    def call(self, task, seed, iterations):
        options = {
            "edges": self.edges,
            "starting_communities": None,
            "resolution": 1.0,
            "randomness": RANDOMNESS,
            "iterations": iterations,
            "use_modularity": True,
            "seed": seed,
        }
        start = time.perf_counter()
        if task == "flat":
            found = self.native.leiden(trials=1, **options)
        else:
            found = self.native.hierarchical_leiden(
                max_cluster_size=MAX_SIZE, **options
            )
        return found, time.perf_counter() - start

    def run(self, task, seed):
        found, took = self.call(task, seed, 1)
        # Without iterations, a call only converts edges and names.
        _, overhead = self.call(task, seed, 0)
        levels = []
        rows = ((n, c, 0) for n, c in found[1].items()) if task == "flat" else (
            (r.node, r.cluster, r.level) for r in found
        )
        for node, cluster, level in rows:
            while len(levels) <= level:
                levels.append(numpy.full(self.nodes, NONE, dtype="<u4"))
            levels[level][int(node)] = cluster
        return levels, max(took - overhead, 0.0), overhead


PEERS = {"igraph": Igraph, "leidenalg": Leidenalg, "graspologic-native": Graspologic}


def resident(field):
    try:
        with open("/proc/self/status") as f:
            for line in f:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass


def run_again(times, total):
    n = len(times)
    if n == 0 or n < REPEATS and total < REPEAT_FOR:
        return True
    return n < LEAST_REPEATS and times[0] < LEAST_BELOW


def main():
    name, path, out = sys.argv[1:]
    nodes, edges = read(path)
    peer = PEERS[name](nodes, edges)
    del edges
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        task, _, seed = line.split()
        reset_peak()
        before = resident("VmRSS")
        times, overheads = [], []
        begin = time.perf_counter()
        while run_again(times, time.perf_counter() - begin):
            found, took, overhead = peer.run(task, int(seed))
            if not times:
                levels, peak = found, resident("VmHWM")
            times.append(took)
            overheads.append(overhead)
        took, overhead = statistics.median(times), statistics.median(overheads)
        with open(out, "wb") as f:
            numpy.array([len(levels)], dtype="<u4").tofile(f)
            for level in levels:
                level.tofile(f)
        answer = {
            "ms": took * 1e3,
            "overhead_ms": overhead * 1e3,
            "peak": peak,
            "before": before,
        }
        print(json.dumps(answer), flush=True)


main()
