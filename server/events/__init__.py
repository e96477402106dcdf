"""Public events: what spectators see, told to an MQTT broker for scoreboards, chat bots and lamps.

`messages.py` has the payloads and `topics.py` where they go. `narrator.py` makes the messages of
one table from what its spectators are sent; `publisher.py` keeps the tables that are told of and
what is retained of them. `service.py` sends that to a broker, which `broker.py` finds in the
settings, over the connections of `mqtt.py`.
docs/events.md is the guide for those who subscribe.
"""
