"""Sockets and HTTP pages: bytes come in, are counted and parsed, and frames go out.

gateway, websocket, tls                 sockets
frames, reading                         their frames, which are counted before they are parsed
traffic, patience                       what a connection or an address may use
keepalive                               clients that say nothing any more
addresses, origins                      where clients come from, which pages
plain_pages, bad_requests, opening      answers to plain HTTP
page_files, page_modules, page_source   the files of `client_web`, packed and joined
page_texts                              and their words
"""
