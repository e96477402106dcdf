"""Measurements: figures with their limits, and what they need.

command, figures                        `blackqueen bench`, and what a figure is
measure_games, measure_described        the rules and the bots, without a server
measure_server, echo                    a server under load, beside a bare echo; while bots think
measure_move                            what one move is made of: bytes and functions
measure_connections                     silent connections, and players who come back at once
measure_attack, attackers               what honest clients notice while others attack
measure_overhead                        what public events and several nodes cost a move
measure_kills, nodes                    what players notice of nodes that are killed or stopped
measure_store                           the disk, and commits beside a bare loop
measure_page                            the page in a browser
clients, load, crowd                    light clients: one, tables of them, many in a process
processes, services                     servers and other programs of the measurement's own
"""
