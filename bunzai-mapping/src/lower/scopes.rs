//! Where the canonical paths of the parts lie, and whether they agree with each other.

use std::collections::{HashMap, HashSet};

use bunzai_runtime::map::{Known, Leaves, Seq, Str, below};

use super::{Choice, Claimed, Lower, Mapped, Opens, Owner, PartClaims, Wanted};
use crate::tree::Loc;

/// How many uses of maps a declaration may come to.
const MOST: usize = 2_000;

impl Lower<'_> {
    /// Puts the claims of every part below the scopes in which it is used.
    pub(super) fn expand(&mut self, root: &PartClaims, parts: &[PartClaims]) -> (Vec<Claimed>, Vec<Mapped>) {
        let (mut claims, mut mapped): (Vec<Claimed>, Vec<Mapped>) = (Vec::new(), Vec::new());
        let mut waiting = vec![(String::new(), root, None::<&str>, Vec::new(), None)];
        let mut uses = 0;
        let mut used = 0;
        while let Some((scope, part, by, opened, choice)) = waiting.pop() {
            used += 1;
            let below = |path: &str| below(&scope, path);
            claims.extend(part.claims.iter().map(|claim| {
                let want = match &claim.want {
                    Wanted::Alike(other) => Wanted::Alike(below(other)),
                    want => want.clone(),
                };
                Claimed { path: below(&claim.path), want, loc: claim.loc }
            }));
            mapped.extend(part.mapped.iter().map(|set| {
                // A row without an identity of its own is given one.
                let is_identity = by.is_some() && set.slot.as_deref() == by;
                Mapped { path: below(&set.path), always: set.always || is_identity, used, choice, ..set.clone() }
            }));
            for Opens { part: index, path, by, choice: own } in &part.opens {
                let Some(inner) = parts.get(*index) else { continue };
                uses += 1;
                let name = self.map_names.get(*index).map(|name| (name.loc, name.text.clone())).unwrap_or_default();
                if opened.contains(index) {
                    self.add("B009", name.0, format!("the map `{}` opens itself, and would go on for ever", name.1));
                } else if uses == MOST {
                    self.add("B009", name.0, format!("maps are opened in more than {MOST} places"));
                } else if uses < MOST {
                    let opened = opened.iter().copied().chain([*index]).collect();
                    waiting.push((below(path), inner, by.as_deref(), opened, own.or(choice)));
                }
            }
        }
        (claims, mapped)
    }

    /// A path is set once, or lost.
    pub(super) fn check_paths(&mut self, mapped: &[Mapped], lost: &[(String, Loc)]) {
        let mut known: HashMap<&str, Vec<&Mapped>> = HashMap::new();
        for set in mapped {
            let others = known.entry(&set.path).or_default();
            let mut beside = others.iter().filter(|other| !other.is_instead_of(set));
            if beside.clone().any(|other| !other.owner.shares_with(&set.owner)) {
                self.add("B014", set.loc, format!("`{}` is set elsewhere too", set.path));
            } else if beside.any(|other| other.used != set.used) {
                // Each map is settled when its object ends, whatever stands behind it.
                self.add("B014", set.loc, format!("`{}` is set in another map too; one map says all of it", set.path));
            }
            others.push(set);
        }
        for set in mapped {
            for holder in holders(&set.path) {
                // A stamp makes the items of which a row sets one, or something in one.
                let is_list = set.path[holder.len()..].starts_with('[');
                let leaves = |other: &Owner| other.leaves_below() || *other == Owner::Stamp && is_list;
                let is_whole = |other: &&&Mapped| !leaves(&other.owner) && !other.is_instead_of(set);
                let whole = known.get(holder).and_then(|others| others.iter().find(is_whole));
                let items = format!("{holder}[]");
                let is_of_items =
                    |path: &str| path.strip_prefix(&items).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
                let by_items = is_list && mapped.iter().any(|other| is_of_items(&other.path));
                if by_items {
                    self.add("B014", set.loc, format!("`{}` is set here, and `{items}` elsewhere", set.path));
                } else if whole.is_some() && set.owner != Owner::Join {
                    let message = format!("`{}` is set here, and `{holder}` as a whole elsewhere", set.path);
                    self.add("B014", set.loc, message);
                }
            }
        }
        for set in mapped.iter().filter(|set| set.owner == Owner::Gathered) {
            let list = set.path.split("[]").next().unwrap_or_default();
            let in_list = |other: &&Mapped| {
                other.path.strip_prefix(list).is_some_and(|rest| rest.is_empty() || rest.starts_with("[]"))
            };
            if !mapped.iter().filter(in_list).any(|other| other.used == set.used && other.owner != Owner::Gathered) {
                self.add(
                    "B014",
                    set.loc,
                    format!("the rows of `{list}` are read by another map; `gather` stands in that one"),
                );
            }
        }
        let mut once = HashSet::new();
        for (path, loc) in lost {
            let is_below = |set: &&Mapped| {
                set.path.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if !once.insert(path) {
                self.add("B015", *loc, format!("`{path}` is in `lost` already"));
            } else if let Some(set) = mapped.iter().find(is_below) {
                let message = match set.path == *path {
                    true => format!("`{path}` is lost, and set"),
                    false => format!("`{path}` is lost, and `{}` is set; `{path}.*` is the rest of it", set.path),
                };
                self.add("B015", *loc, message);
            }
        }
    }
}

impl Mapped {
    /// Whether a row is read with the map of the one or that of the other.
    fn is_instead_of(&self, other: &Self) -> bool {
        matches!((self.choice, other.choice), (Some(one), Some(other)) if one.among == other.among && one.number != other.number)
    }
}

/// The paths that a path lies in, but for those outside of a list it lies in.
fn holders(path: &str) -> impl Iterator<Item = &str> {
    let inside = path.rfind("[]").map_or(0, |at| at + 2);
    path.match_indices(['.', '[']).filter(move |(at, _)| *at > inside).map(|(at, _)| &path[..at])
}

/// What must be so that paths may stay unset that are not always set.
pub(super) fn unset(mapped: &[Mapped], lost: &[(String, Loc)]) -> Vec<Claimed> {
    let mut always: HashSet<&str> = HashSet::new();
    // Of maps of which a row is read with one all must set it.
    let mut chosen: HashMap<(&str, usize), HashSet<usize>> = HashMap::new();
    for set in mapped.iter().filter(|set| set.always) {
        let is_always = set.choice.is_none_or(|Choice { among, number, count }| {
            let numbers = chosen.entry((&set.path, among)).or_default();
            numbers.insert(number);
            numbers.len() == count
        });
        always.extend(is_always.then_some(set.path.as_str()));
    }
    // What one of them says always is told of the others.
    let by_others = |set: &Mapped| {
        set.always && mapped.iter().any(|other| other.path == set.path && !other.always && other.is_instead_of(set))
    };
    let sets = mapped.iter().filter(|set| !always.contains(set.path.as_str()) && !by_others(set));
    let leaves = |set: &Mapped| match set.owner {
        _ if set.always => Leaves::Maps,
        Owner::Join => Leaves::Join,
        _ => Leaves::Row,
    };
    let sets = sets.map(|set| (set.path.clone(), Wanted::Unset(leaves(set)), set.loc));
    let lost = lost.iter().map(|(path, loc)| match path.strip_suffix(".*") {
        Some(holder) => (holder.to_owned(), Wanted::Inside, *loc),
        None => (path.clone(), Wanted::Unset(Leaves::Lost), *loc),
    });
    let claims = sets
        .chain(lost)
        .flat_map(|(path, want, loc)| [Wanted::Exists, want].map(|want| Claimed { path: path.clone(), want, loc }));
    claims.collect()
}

/// What is said of the paths of the kind, as a tree.
pub(super) fn known(mapped: &[Mapped], lost: &[(String, Loc)]) -> Vec<Known> {
    let mut tree = Vec::new();
    for set in mapped {
        let covered = !matches!(set.owner, Owner::Rows);
        put(&mut tree, &set.path, |known| known.covered |= covered);
    }
    for (path, _) in lost {
        match path.strip_suffix(".*") {
            Some(holder) => put(&mut tree, holder, |known| known.open = true),
            None => put(&mut tree, path, |known| known.covered = true),
        }
    }
    tree
}

fn put(tree: &mut Vec<Known>, path: &str, say: impl FnOnce(&mut Known)) {
    let mut steps = path.split('.').flat_map(|step| {
        // What is said of one item is said of the items: reports tell of the others.
        let mut brackets = step.split('[');
        let name = brackets.next().unwrap_or_default();
        [name].into_iter().chain(brackets.map(|_| "[]"))
    });
    let Some(first) = steps.next() else { return };
    let mut at = child(tree, first);
    for step in steps {
        at = child(at.below.to_mut(), step);
    }
    say(at);
}

fn child<'t>(tree: &'t mut Vec<Known>, name: &str) -> &'t mut Known {
    let n = tree.iter().position(|known| known.name == name).unwrap_or_else(|| {
        let name = Str::from(name.to_owned());
        tree.push(Known { name, covered: false, open: false, below: Seq::default() });
        tree.len() - 1
    });
    &mut tree[n]
}
