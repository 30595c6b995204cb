"""A case from paste to solved: the desk that carries it, its reply, its buttons."""
