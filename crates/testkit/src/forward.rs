//! Engines that change one thing about another engine leave the rest to it.

/// The named methods of `game::Engine`, each of which calls the same one of the engine in a field;
/// `terms` stands for the four that translate facts and moves:
/// `testkit::forward!(inner: roles initial terms);` inside of `impl Engine`.
#[macro_export]
macro_rules! forward {
    ($inner:ident: $($method:ident)*) => { $($crate::forward_one!($inner $method);)* };
}

/// One method for [`forward!`].
#[doc(hidden)]
#[macro_export]
macro_rules! forward_one {
    ($inner:ident roles) => {
        fn roles(&self) -> &[::game::GroundTerm] {
            self.$inner.roles()
        }
    };
    ($inner:ident initial) => {
        fn initial(&self) -> ::game::State {
            self.$inner.initial()
        }
    };
    ($inner:ident terminal) => {
        fn terminal(&mut self, state: &::game::State) -> Result<bool, ::game::EngineError> {
            self.$inner.terminal(state)
        }
    };
    ($inner:ident legal) => {
        fn legal(
            &mut self,
            state: &::game::State,
            role: ::game::RoleId,
            moves: &mut Vec<::game::MoveId>,
        ) -> Result<(), ::game::EngineError> {
            self.$inner.legal(state, role, moves)
        }
    };
    ($inner:ident next) => {
        fn next(
            &mut self,
            state: &::game::State,
            joint: &[::game::MoveId],
            next: &mut ::game::State,
        ) -> Result<(), ::game::EngineError> {
            self.$inner.next(state, joint, next)
        }
    };
    ($inner:ident goal) => {
        fn goal(
            &mut self,
            state: &::game::State,
            role: ::game::RoleId,
        ) -> Result<Option<u8>, ::game::EngineError> {
            self.$inner.goal(state, role)
        }
    };
    ($inner:ident terms) => {
        fn facts(&mut self, state: &::game::State) -> Vec<::game::GroundTerm> {
            self.$inner.facts(state)
        }

        fn state_of(
            &mut self,
            facts: &[::game::GroundTerm],
        ) -> Result<::game::State, ::game::EngineError> {
            self.$inner.state_of(facts)
        }

        fn move_term(&mut self, role: ::game::RoleId, mv: ::game::MoveId) -> ::game::GroundTerm {
            self.$inner.move_term(role, mv)
        }

        fn find_move(
            &mut self,
            role: ::game::RoleId,
            term: &::game::GroundTerm,
        ) -> Option<::game::MoveId> {
            self.$inner.find_move(role, term)
        }
    };
}
