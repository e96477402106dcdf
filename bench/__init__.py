"""Measurements: figures with their limits, and what they need.

command, figures                        `blackqueen bench`, and what a figure is
measure_games                           the rules, the bots and described games, without a server
measure_server                          a server under load, and while bots think
measure_move                            what one move is made of: bytes and functions
measure_crowds, attackers, crowd        attackers, and players who come back at once
measure_overhead                        what public events and several nodes cost a move
measure_kills, nodes                    what players notice of nodes that are killed or stopped
measure_store                           the disk, and commits beside a bare loop
measure_page                            the page in a browser
clients, load                           light clients: one, and tables of them
processes                               servers and other programs of the measurement's own
"""
