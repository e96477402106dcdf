"""The bus: how the parts of a server reach each other, and the broker that carries it elsewhere.

`courier.py` says what a courier of messages can do and what it may not be relied on for. `mqtt.py`
is a courier by an MQTT 5 broker, the only module that knows the client's library; `broker.py` says
where that broker is.
"""
