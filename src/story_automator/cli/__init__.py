"""Door: parse, wire, call, render, exit."""
