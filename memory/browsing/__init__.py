"""What the pages show, read whole and in a fixed number of queries, however many rows there are.

Every function must run inside a scope (`scope.user` or `scope.staff`) and, where it is about one
person, names them too. What does not exist, or is someone else's, raises NotFound.
"""
