//! Order among threads: what some of them do at once is still done one after the other.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something that is used in turns, numbered from 0.
pub(super) struct Turns<T> {
    state: Mutex<State<T>>,
    passed: Condvar,
}

struct State<T> {
    next: usize,
    thing: T,
}

impl<T> Turns<T> {
    pub(super) fn new(thing: T) -> Self {
        Self { state: Mutex::new(State { next: 0, thing }), passed: Condvar::new() }
    }

    /// Waits for a turn and takes it. Every turn has to be taken, or those after it never come.
    pub(super) fn take<R>(&self, turn: usize, act: impl FnOnce(&mut T) -> R) -> R {
        let waits = |state: &mut State<T>| state.next < turn;
        let mut state = self.passed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        let done = act(&mut state.thing);
        state.next = state.next.max(turn + 1);
        self.passed.notify_all();
        done
    }

    /// Lets a turn pass that was perhaps not taken.
    pub(super) fn pass(&self, turn: usize) {
        if self.state().next <= turn {
            self.take(turn, |_| ());
        }
    }

    pub(super) fn into_inner(self) -> T {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).thing
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn turns_are_taken_in_order_and_may_pass() {
        let turns = Turns::new(Vec::new());
        std::thread::scope(|scope| {
            for turn in (0..50).rev() {
                let turns = &turns;
                scope.spawn(move || match turn % 3 {
                    0 => turns.pass(turn),
                    _ => {
                        turns.take(turn, |taken| taken.push(turn));
                        turns.pass(turn);
                    }
                });
            }
        });
        assert_eq!(turns.into_inner(), (0..50).filter(|turn| turn % 3 != 0).collect::<Vec<_>>());
    }
}
