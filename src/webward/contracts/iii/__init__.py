"""The iii worker ``web``: what ``web::fetch`` takes and gives, its configuration, and what is told of it.

Wire names are those of the public worker. Whatever happens is an envelope, and never an error of the bus.
"""
