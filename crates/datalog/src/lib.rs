//! GDL as Datalog: rules over interned terms, dependency order and join plans.
