//! The order of moves.

use privy_rules::{Move, Variant};
use privy_search::move_picker::MoveList;

#[test]
fn a_list_holds_each_legal_move_once_and_gives_the_best_first() {
    for id in Variant::all_ids() {
        let variant = Variant::builtin(id).unwrap();
        let position = variant.opening();
        let mut list = MoveList::default();
        list.fill(variant.rules(), position, variant.rules().all, |move_| move_.to.index() as i32);
        let mut legal: Vec<Move> = variant.legal_moves(position).iter().map(|path| *path.action()).collect();
        let picked: Vec<Move> = (0..list.moves().count()).filter_map(|at| list.pick(at)).collect();
        assert!(picked.is_sorted_by_key(|move_| std::cmp::Reverse(move_.to.index())), "{id}");
        legal.retain(|move_| !picked.contains(move_));
        assert!(
            legal.is_empty() && picked.iter().all(|move_| picked.iter().filter(|other| *other == move_).count() == 1)
        );
    }
}
