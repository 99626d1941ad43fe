//! The report of a bundle: what does not read back of it.

use std::collections::{HashMap, HashSet};

use super::embed::Written;
use super::{ExportedBundle, ExportedPiece, Links, Way, name_of};
use crate::entity::AnyEntity;
use crate::error::{Error, Result};
use crate::format::{Format, document_in, other};
use crate::json::Value;
use crate::model::{Body, differences};
use crate::report::{Loss, PieceReport, Report};

impl ExportedBundle<'_> {
    /// What the documents do not carry, found out by reading them again.
    ///
    /// # Errors
    /// Those of the reports of the documents.
    pub fn report(&self) -> Result<Report> {
        let mut report = self.main.report()?;
        // That a list of ids is not written is told piece by piece.
        for field in &self.fields {
            let is_below = |at: &str| at.strip_prefix(field.as_str()).is_some_and(|rest| rest.starts_with('/'));
            report.lost.retain(|loss| loss.at != *field && !is_below(&loss.at));
        }
        let is_foreign = report.to != crate::native::NATIVE;
        let mut lost: Vec<Loss> = Vec::new();
        for (link, stays) in &self.missing {
            if !stays {
                lost.push(loss_at(&link.at, &link.id, format!("the linked piece `{}` is not at hand", link.id)));
            } else if is_foreign {
                let id = &link.id;
                let message = format!("the linked piece `{id}` is not at hand; what the document has of it stays");
                report.warnings.push(other(message));
            }
        }
        let links = Links::new(&self.links);
        let read_back = self.read_back()?;
        for (n, piece) in self.linked.iter().enumerate() {
            report.linked.push(self.piece(piece, read_back.get(&n))?);
            let Some(link) = links.of(piece.entity).filter(|_| is_foreign) else { continue };
            let reason = piece.why_not_in(&report.to).or_else(|| piece.why_not_found(read_back.get(&n)));
            lost.extend(reason.map(|reason| loss_at(&link.at, &link.id, reason)));
        }
        lost.sort_by(|a, b| a.at.cmp(&b.at));
        report.lost.append(&mut lost);
        Ok(report)
    }

    fn piece(&self, piece: &ExportedPiece<'_>, read_back: Option<&ReadBack<'_>>) -> Result<PieceReport> {
        let ExportedPiece { entity, way } = piece;
        let (report, way) = match way {
            Way::Beside(exported) => (exported.report()?, "beside"),
            Way::Left(_) => (Report::default(), "left"),
            Way::Embedded => {
                let report = read_back.map(|read_back| self.embedded(entity, read_back)).transpose()?;
                (report.unwrap_or_default(), "embedded")
            }
        };
        Ok(PieceReport {
            id: entity.id.clone(),
            kind: entity.kind().to_owned(),
            name: entity.body.entity_name().to_owned(),
            way,
            file: None,
            report,
        })
    }

    /// What of a piece reads back from the slots it was written to.
    fn embedded(&self, piece: &AnyEntity, read_back: &ReadBack<'_>) -> Result<Report> {
        let homes = &read_back.written.homes;
        let pieces = &homes.pieces;
        let mut report = Report { to: pieces.format.id().to_owned(), ..Report::default() };
        let lens = pieces.format.lens(piece.into(), &mut report.warnings);
        let mut given = lens.unwrap_or_else(|| piece.body.clone());
        let mut rules = pieces.rules(given.as_node());
        let Some(mut found) = read_back.shell.clone() else {
            let reason = "other rows read back than were written".to_owned();
            report.lost.push(Loss { at: pieces.list_at(), reason, value: Some(Value::List(rules).into()) });
            return Ok(report);
        };
        let read = read_back.rows_of(&rules);
        let renamed = &read_back.renamed;
        for (row, rule) in &read {
            let Some(given) = rules.get_mut(*row).filter(|given| pieces.called(given) != pieces.called(rule)) else {
                continue;
            };
            let why = if renamed.contains(row) { "the document has another row with this id; " } else { "" };
            let reason = format!("{why}it reads back as {:?}", pieces.called(rule));
            report.coerced.push(Loss { at: pieces.id_at(*row), reason, value: pieces.id_in(given).map(Into::into) });
            // It is told, and rows are known by what they are called now, also those of one name.
            pieces.call(given, pieces.id_in(rule));
        }
        if !report.coerced.is_empty() {
            pieces.set_rules(given.as_node_mut(), rules);
        }
        pieces.set_rules(found.as_node_mut(), read.into_iter().map(|(_, rule)| rule).collect());
        pieces.set_name(found.as_node_mut(), &name_of(homes.link, self.main.body()));
        let plan = &homes.view.prepared()?.plan;
        let quotients = plan.quotients.first().ok_or(Error::NotRecognised { nearest: None })?;
        for difference in differences(given.as_node(), found.as_node(), quotients, &|_, _, _| false) {
            report.add(difference);
        }
        Ok(report)
    }

    /// What reads back of the pieces from the slots they were written to, by piece.
    fn read_back(&self) -> Result<HashMap<usize, ReadBack<'_>>> {
        let text = self.main.text();
        let document = &text[document_in(&text)];
        let mut all = HashMap::new();
        for written in &self.written {
            let Written { homes, rows, pieces, renamed } = written;
            let held = homes.held(document)?;
            let body = held.as_ref().map(|held| &held.body);
            let read = body.map(|body| homes.pieces.rules(body.as_node())).unwrap_or_default();
            let mut shell = body.map_or_else(|| homes.pieces.format.kind_of_body().blank(), |body| body.clone());
            homes.pieces.set_rules(shell.as_node_mut(), Vec::new());
            let shell = (read.len() == rows.len()).then_some(shell);
            for piece in pieces {
                let (rows, renamed) = (Vec::new(), HashSet::new());
                all.insert(*piece, ReadBack { written, shell: shell.clone(), rows, renamed });
            }
            let listed = held.iter().flat_map(|held| &held.listing.rows);
            for ((rule, origins), listed) in read.iter().zip(rows).zip(listed) {
                for origin in origins {
                    // An identity that none stands for is made.
                    let row = (origin.row, rule.clone(), listed.id.is_none());
                    all.entry(origin.piece).and_modify(|read_back| read_back.rows.push(row));
                }
            }
            for origin in renamed {
                all.entry(origin.piece).and_modify(|read_back| read_back.renamed.extend([origin.row]));
            }
        }
        Ok(all)
    }
}

/// What reads back of a piece from the slots that it was written to.
struct ReadBack<'w> {
    written: &'w Written<'w>,
    /// The body of the rows, without them; nothing when other rows read back than were written.
    shell: Option<Box<dyn Body>>,
    /// The rows: which of the piece each is, and whether its identity was made.
    rows: Vec<(usize, Value<'static>, bool)>,
    /// The rows of the piece that got another identity.
    renamed: HashSet<usize>,
}

impl ReadBack<'_> {
    /// The rows, with which of those that were given each is. What no row stands for is lost.
    fn rows_of(&self, given: &[Value<'static>]) -> Vec<(usize, Value<'static>)> {
        let pieces = &self.written.homes.pieces;
        let known = self.rows.iter().filter_map(|(row, rule, is_made)| Some((*row, rule, *is_made, given.get(*row)?)));
        let placed = known.enumerate().map(|(n, (row, rule, is_made, given))| {
            let mut rule = rule.clone();
            if is_made {
                pieces.call(&mut rule, pieces.id_in(given));
            }
            // The place of a row is one among the rows of its piece.
            pieces.set_place(&mut rule, n);
            (row, rule)
        });
        let mut rows: Vec<_> = placed.collect();
        rows.sort_by_key(|(row, _)| *row);
        rows
    }
}

impl ExportedPiece<'_> {
    /// Why nothing in the document says that it is linked, though it is in there.
    fn why_not_found(&self, read_back: Option<&ReadBack<'_>>) -> Option<String> {
        let pieces = &read_back?.written.homes.pieces;
        let is_empty = pieces.rules(self.entity.body.as_node()).is_empty();
        is_empty.then(|| "it has no rows by which it could be found in the document".to_owned())
    }

    /// Why it is not in the document of a format.
    fn why_not_in(&self, to: &str) -> Option<String> {
        let kind = self.entity.kind();
        match &self.way {
            Way::Embedded => None,
            Way::Beside(_) => {
                Some(format!("{to} has no place for the {kind}; it travels beside, as a file of its own"))
            }
            Way::Left(reason) => Some(format!("the {kind} is not written: {reason}")),
        }
    }
}

fn loss_at(at: &str, id: &str, reason: String) -> Loss {
    Loss { at: at.to_owned(), reason, value: Some(id.into()) }
}
