"""All tables: in memory and in the store, and their effects.

effect_runner, command_answers          carry out what tables want done, and answer commands
registry, live_tables, loading          find a table: in memory, or asleep in the store
log_replay, table_logs                  logs that are played again, to go on or to be read
alarms                                  when tables are due
directory, listing, opener_addresses    the open tables, as lists show them
hints, hint_message, warm_up_notices    advice, and bots that are not ready
rows, guests                            what is stored of tables, and of players without a seat
"""
