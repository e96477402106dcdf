"""One table, without any I/O: its log, its state, and the actor that handles what happens to it.

table, effects                     the actor, and what it wants done
decide, seating, refusals          which entries a command makes, or why it makes none
entries, log_format, settings      the log: its kinds of entry, as they are stored
state, fold, public_facts          what an entry does to the table, and what everybody learns
history, log_view                  who could see what in this deal, and in the whole log
clocks, turn_clock, timeouts       deadlines, and what happens when they pass
seat_requests                      who asks to be let in
undo, first_spectator              moves that are taken back
messages, answers, choices_told    the table as messages show it, and refusals that are final
guarded_game, failures             rules that raise, and what any exception costs
"""
