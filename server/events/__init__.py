"""Public events: the spectators' view, sent to an MQTT broker for scoreboards and chat bots.

`messages.py` has the payloads and `topics.py` their topics. `narrator.py` makes the messages of one
table from the spectators' events; `publisher.py` keeps the published tables and their retained
messages. `service.py` sends these to a broker, which `broker.py` finds in the settings, over the
connections of `mqtt.py`.

docs/events.md is the guide for subscribers.
"""
