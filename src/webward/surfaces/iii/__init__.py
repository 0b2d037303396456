"""The iii worker ``web``: ``web::fetch`` on the bus of an iii engine, under the configuration that is stored there."""
