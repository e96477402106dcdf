"""Mail: what reaches a gateway of what was to be sent to it."""

from server.crossing.names import Key
from server.crossing.parcels import Answered, Batch, Charged, Failed, Parcel, Told
from server.tables.mail import Mail


def test_what_cannot_be_sent_in_one_batch_is_sent_in_several() -> None:
    """Nothing is lost but the parcel that is too large, whose connections are told so."""
    sent: list[Parcel] = []

    def publish(batch: Batch) -> None:
        if sum(len(str(parcel)) for parcel in batch.parcels) > 1000:
            raise ValueError("too large")
        sent.extend(batch.parcels)

    mail = Mail("a", publish)
    small = [Told([number], b"hello" * 20, passing=False) for number in range(30)]
    for parcel in small[:20]:
        mail.put(parcel)
    mail.put(Told([7, 8], b"hello" * 1000, passing=True))
    mail.put(Answered(Key("ann", "laptop", 9), {"type": "log", "entries": ["x" * 5000]}, 3))
    mail.put(Charged("x" * 5000, 1.0))
    for parcel in small[20:]:
        mail.put(parcel)
    mail.flush()
    refused, failed = sent.pop(21), sent.pop(20)
    assert sent == small
    assert failed == Failed([7, 8])
    assert isinstance(refused, Answered)
    assert (refused.key.command, refused.link, refused.message["type"]) == (9, 3, "error")
    mail.put(Told([5], b"hello" * 1000, passing=True))
    mail.flush()
    assert sent[-1] == Failed([5])
