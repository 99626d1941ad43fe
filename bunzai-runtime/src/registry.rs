use std::sync::OnceLock;

use crate::detect::Detector;
use crate::error::{Error, Result};
use crate::format::{Declared, Format};
use crate::input::Input;
use crate::json::SyntaxErrorKind;
use crate::map::{Carrier, nearest};
use crate::native::Native;

/// A score a format must be above to be taken for the format of a file.
const THRESHOLD: f64 = 0.5;

/// Some formats, asked together.
#[derive(Debug, Default)]
pub struct Registry {
    formats: Vec<Box<dyn Format>>,
    detector: OnceLock<Detector>,
}

/// A format that claims a document.
#[derive(Debug, Clone)]
pub struct Candidate<'r> {
    /// The format.
    pub format: &'r dyn Format,
    /// How surely, above 0 and up to 1.
    pub score: f64,
    /// How many conditions of its gate the document satisfies; the most decide a tie.
    pub satisfied: usize,
    /// Those conditions.
    pub because: Vec<String>,
}

impl Candidate<'_> {
    /// Whether the format is sure enough to be taken for that of the document.
    pub fn is_sure(&self) -> bool {
        self.score > THRESHOLD
    }
}

impl Registry {
    /// No formats.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a format. The answer is the one with the same id that it replaces.
    pub fn add(&mut self, format: Box<dyn Format>) -> Option<Box<dyn Format>> {
        self.detector = OnceLock::new();
        let known = self.formats.iter_mut().find(|known| known.id() == format.id());
        match known {
            Some(known) => Some(std::mem::replace(known, format)),
            None => {
                self.formats.push(format);
                None
            }
        }
    }

    /// The formats, in the order of their ids.
    pub fn formats(&self) -> Vec<&dyn Format> {
        let mut formats: Vec<&dyn Format> = self.formats.iter().map(|format| &**format).collect();
        formats.sort_by(|a, b| a.id().cmp(b.id()));
        formats
    }

    /// The format of an id.
    ///
    /// # Errors
    /// When there is none; the error names the nearest.
    pub fn format(&self, id: &str) -> Result<&dyn Format> {
        let found = self.formats.iter().find(|format| format.id() == id);
        found.map(|format| &**format).ok_or_else(|| Error::UnknownFormat {
            name: id.to_owned(),
            meant: nearest(id, self.formats.iter().map(|format| format.id())).map(str::to_owned),
        })
    }

    /// Every format that claims a document, the surest first.
    ///
    /// # Errors
    /// When the document is too large, not UTF-8 or not JSON.
    pub fn detect(&self, input: &Input) -> Result<Vec<Candidate<'_>>> {
        let source = input.text()?;
        let value = crate::format::document_in(source);
        let text = &source[value.clone()];
        let carriers: Vec<(&dyn Format, &Carrier)> = self
            .formats
            .iter()
            .filter_map(|format| Some((&**format, format.declared()?.map())))
            .flat_map(|(format, map)| map.shapes.iter().map(move |carrier| (format, carrier)))
            .collect();
        let detector = self.detector.get_or_init(|| Detector::new(carriers.iter().map(|(_, carrier)| *carrier)));
        let mut found: Vec<Candidate<'_>> = Vec::new();
        let answers = match detector.ask(text) {
            Ok(answers) => answers,
            // A native file may be a little deeper than the documents of applications.
            Err(error) if error.kind == SyntaxErrorKind::Depth && Native::claims(text) => Vec::new(),
            Err(error) => return Err(Error::syntax(text, error).below(&source[..value.start])),
        };
        for ((format, carrier), answer) in carriers.into_iter().zip(answers).filter(|(_, answer)| answer.passes()) {
            let because = answer.because(&carrier.gate);
            let candidate = Candidate { format, score: carrier.score, satisfied: answer.satisfied(), because };
            match found.iter_mut().find(|known| known.format.id() == format.id()) {
                Some(known) if known.score < candidate.score => *known = candidate,
                Some(_) => {}
                None => found.push(candidate),
            }
        }
        for format in self.formats.iter().filter(|format| format.declared().is_none()) {
            let score = format.score(text);
            if score > 0.0 {
                let because = vec!["it decodes as a canonical file".to_owned()];
                found.push(Candidate { format: &**format, score, satisfied: 0, because });
            }
        }
        found.sort_by(|a, b| {
            let by_gate = b.score.total_cmp(&a.score).then(b.satisfied.cmp(&a.satisfied));
            by_gate.then_with(|| a.format.id().cmp(b.format.id()))
        });
        Ok(found)
    }

    /// The format of a document: the surest, if it is sure enough.
    ///
    /// # Errors
    /// When no format claims it. Of a file that calls itself a native one the error lists what is
    /// wrong with it.
    pub fn recognise(&self, input: &Input) -> Result<&dyn Format> {
        let best = self.detect(input)?.into_iter().next().filter(Candidate::is_sure);
        if let Some(best) = best {
            return Ok(best.format);
        }
        let text = input.document()?;
        if Native::claims(text)
            && let Some(native) = self.formats.iter().find(|format| format.kind().is_none())
        {
            native.import(input.clone())?;
        }
        Err(Error::NotRecognised { nearest: self.nearest(text).map(Box::new) })
    }

    /// Why the format that came nearest does not claim a document.
    fn nearest(&self, text: &str) -> Option<Error> {
        let met = |format: &&Declared| format.conditions_met(text);
        let best = self.formats.iter().filter_map(|format| format.declared()).max_by_key(met)?;
        (met(&best) > 0).then(|| best.refusal(text))?
    }
}
