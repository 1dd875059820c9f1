#!/usr/bin/env python3
"""Prints how the executor compares with other engines, from a peer benchmark's results.

    cargo build --release -p bench --bin peer
    python3 peers.py WORKDIR --jax-python PYTHON --out results.json --also 'shlo2=target/release/peer --threads 2' \
            --also 'shlo1=taskset -c 0 target/release/peer --threads 1'
    python3 bench/compare_peers.py results.json [--ours shlo2] [--peer xla2p]... [--metric min_ms]

The results are an object {"run": {WORKLOAD: {"group", PEER: {"min_ms", "median_ms", "cpu_median_ms", "err", "agrees"} or
{"error"}}}}. The ratio is the peer's time by ours: above 1 we are faster. Several files merge to the best of each peer.
"""
import argparse, json, math, sys


def merged(paths, metric):
    runs = {}
    for path in paths:
        for name, record in json.load(open(path)).get('run', {}).items():
            mine = runs.setdefault(name, record)
            for peer, figures in record.items():
                if not isinstance(figures, dict):
                    continue
                old = mine.get(peer)
                if old is None or metric not in old or metric in figures and figures[metric] < old[metric]:
                    mine[peer] = figures
    return runs


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float('nan')


def number(x):
    return f'{x:.3g}' if x < 100 else f'{x:.0f}'


def cell(figures, metric):
    if figures is None:
        return '-'
    if metric not in figures:
        return '*' + figures.get('error', 'failed').replace('|', '/').splitlines()[0][:50] + '*'
    return number(figures[metric]) + ('' if figures.get('agrees', True) else ' ‡')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('results', nargs='+')
    parser.add_argument('--ours', default='shlo2', help='name of the executor among the peers')
    parser.add_argument('--peer', action='append', help='whom to compare with; all that are there when not given')
    parser.add_argument('--metric', default='min_ms', choices=['min_ms', 'median_ms', 'cpu_min_ms', 'cpu_median_ms'])
    args = parser.parse_args()
    runs = merged(args.results, args.metric)
    found = dict.fromkeys(peer for record in runs.values() for peer in record if isinstance(record[peer], dict))
    peers = args.peer or [peer for peer in found if peer != args.ours]
    if args.ours not in found:
        sys.exit(f'no peer is called {args.ours}; there are {", ".join(found)}')
    print(f'| workload | {args.ours} | ' + ' | '.join(f'{peer} | ratio' for peer in peers) + ' |')
    print('|---|---|' + '---|---|' * len(peers))
    groups, everything = {}, {peer: [] for peer in peers}
    for name, record in runs.items():
        ours = record.get(args.ours)
        cells = []
        for peer in peers:
            theirs, ratio = record.get(peer), '-'
            if ours and theirs and args.metric in ours and args.metric in theirs:
                factor = theirs[args.metric] / ours[args.metric]
                ratio = f'{factor:.2f}'
                groups.setdefault(record.get('group', ''), {}).setdefault(peer, []).append(factor)
                everything[peer].append(factor)
            cells += [cell(theirs, args.metric), ratio]
        print(f'| {name} | {cell(ours, args.metric)} | ' + ' | '.join(cells) + ' |')
    for group, ratios in [*groups.items(), ('all', everything)]:
        cells = [f'{len(ratios.get(peer, []))} | {mean(ratios.get(peer, [])):.2f}' for peer in peers]
        print(f'| **{group}**, geometric mean | | ' + ' | '.join(cells) + ' |')
    print(f'\n{args.metric}; ratio: time of the peer by that of {args.ours}. ‡ differs by more than the tolerance.')
    wrong = [name for name, record in runs.items() if record.get(args.ours, {}).get('agrees') is False]
    slower = sorted((name for name, record in runs.items() for peer in peers[:1]
                     if args.metric in record.get(args.ours, {}) and args.metric in record.get(peer, {})
                     and record[peer][args.metric] < record[args.ours][args.metric]),
                    key=lambda name: runs[name][peers[0]][args.metric] / runs[name][args.ours][args.metric])
    if wrong:
        print('Wrong: ' + ', '.join(wrong))
    if slower:
        print(f'Slower than {peers[0]}, the slowest first: ' + ', '.join(slower))


if __name__ == '__main__':
    main()
