"""The bench: how fast we are beside a peer, measured in one run; it asserts nothing."""
