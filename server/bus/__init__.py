"""The bus: how peers, which are processes or roles within one, reach each other.

`bus.py` is the interface. `local.py` keeps it within one process, `over_courier.py` over a courier
(`courier.py`) that may lose, repeat and reorder. `mqtt.py` is a courier by an MQTT 5 broker, over
one `mqtt_connection.py` after the other, the only module that knows the client's library;
`broker.py` says where that broker is.
"""
