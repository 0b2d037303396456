"""Wire contracts: results and errors to the shapes that surfaces speak, and payloads to options."""
