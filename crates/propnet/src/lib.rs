//! The propositional network of a game: building, optimising, drawing and running it.
