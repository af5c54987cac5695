//! Players that choose moves in process: legal, random, baseline.
