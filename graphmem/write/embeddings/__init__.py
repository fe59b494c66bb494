"""The embeddings of passages: written, made later, made again with another model, removed."""
