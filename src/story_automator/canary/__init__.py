"""CANARY: the loopback API and the script that tries an installed agent against it."""
