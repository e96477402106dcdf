"""Steps from each schema to the next; a database walks them when a server opens it.

To change the schema: change `server/store/schema.py`, copy the last file in `versions/` under the
next number, let it name the one before as `down_revision`, write the change in `upgrade`, and set
`HEAD`. The tests of the store say whether the two agree. A file that has been released stays as it
is. There is no way down: an older program refuses a newer database.
"""
