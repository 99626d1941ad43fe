//! The report of a bundle: what does not read back of it.

use std::collections::HashSet;

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
        for (n, piece) in self.linked.iter().enumerate() {
            report.linked.push(self.piece(n, piece)?);
            let Some(link) = links.of(piece.entity).filter(|_| is_foreign) else { continue };
            let reason = piece.why_not_in(&report.to).or_else(|| self.why_not_found(n, piece));
            lost.extend(reason.map(|reason| loss_at(&link.at, &link.id, reason)));
        }
        lost.sort_by(|a, b| a.at.cmp(&b.at));
        report.lost.append(&mut lost);
        Ok(report)
    }

    /// Why nothing in the document says that a piece is linked to it which is in there.
    fn why_not_found(&self, n: usize, piece: &ExportedPiece<'_>) -> Option<String> {
        let written = self.written.iter().find(|written| written.pieces.contains(&n))?;
        let is_empty = written.homes.pieces.rules(piece.entity.body.as_node()).is_empty();
        is_empty.then(|| "it has no rows by which it could be found in the document".to_owned())
    }

    fn piece(&self, n: usize, piece: &ExportedPiece<'_>) -> Result<PieceReport> {
        let ExportedPiece { entity, way } = piece;
        let (report, way) = match way {
            Way::Beside(exported) => (exported.report()?, "beside"),
            Way::Left(_) => (Report::default(), "left"),
            Way::Embedded => {
                let written = self.written.iter().find(|written| written.pieces.contains(&n));
                let report = written.map(|written| self.embedded(n, entity, written)).transpose()?;
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
    fn embedded(&self, n: usize, piece: &AnyEntity, written: &Written<'_>) -> Result<Report> {
        let Written { homes, renamed, .. } = written;
        let pieces = &homes.pieces;
        let mut report = Report { to: pieces.format.id().to_owned(), ..Report::default() };
        let lens = pieces.format.lens(piece.into(), &mut report.warnings);
        let mut given = lens.unwrap_or_else(|| piece.body.clone());
        let mut rules = pieces.rules(given.as_node());
        let Some((mut found, read)) = self.read_back(n, &rules, written)? else {
            let reason = "other rows read back than were written".to_owned();
            report.lost.push(Loss { at: pieces.list_at(), reason, value: Some(Value::List(rules).into()) });
            return Ok(report);
        };
        let of_piece = renamed.iter().filter(|origin| origin.piece == n).map(|origin| origin.row);
        let renamed: HashSet<usize> = of_piece.collect();
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

    /// The rows of a piece that read back from the document, with which of them each is, and the body
    /// they are in; nothing when other rows read back than were written. `rules` are the rows that were
    /// given.
    fn read_back(&self, piece: usize, rules: &[Value<'static>], written: &Written<'_>) -> Result<Option<ReadBack>> {
        let Written { homes, rows, .. } = written;
        let pieces = &homes.pieces;
        let text = self.main.text();
        let Some(held) = homes.held(&text[document_in(&text)])? else {
            return Ok(rows.is_empty().then(|| (pieces.format.kind_of_body().blank(), Vec::new())));
        };
        let read = pieces.rules(held.body.as_node());
        if read.len() != rows.len() {
            return Ok(None);
        }
        let mut found: Vec<(usize, Value<'static>)> = Vec::new();
        for ((mut rule, origins), listed) in read.into_iter().zip(rows).zip(&held.listing.rows) {
            for origin in origins.iter().filter(|origin| origin.piece == piece) {
                let Some(given) = rules.get(origin.row) else { continue };
                // An identity that none stands for is made.
                if listed.id.is_none() {
                    pieces.call(&mut rule, pieces.id_in(given));
                }
                // The place of a row is one among the rows of its piece.
                pieces.set_place(&mut rule, found.len());
                found.push((origin.row, rule.clone()));
            }
        }
        // What no row stands for is lost. Of the others those that were given in one place are compared.
        found.sort_by_key(|(row, _)| *row);
        Ok(Some((held.body, found)))
    }
}

/// A body, and rows that read back: each with which row of the piece it is.
type ReadBack = (Box<dyn Body>, Vec<(usize, Value<'static>)>);

impl ExportedPiece<'_> {
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
