"""The clients: outboxes, sessions, who follows which table, and the order of expensive work.

connection, session, registry           a client, its side of the protocol, all of them
admission                               who gets a place in a full server
subscriber, subscribers                 a client as tables know it, and who follows which table
broadcaster                             an event sent to all who follow a table
snapshot_cache, spectator_counts        what else is shown to those who follow a table
chat_history                            lines of chat, for those who missed them
fair_queue, slow_readers, outages       expensive work in turns; clients and disks that are slow
"""
