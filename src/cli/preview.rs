use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::files::{self, Failure};
use super::{Done, Json, output};
use crate::map::nearest;
use crate::model::{PresetBody, PresetChoiceType};
use crate::preset::choices::{Answer, Answered, Evaluation, Origin, Scene, evaluate};
use crate::preset::{self, Line};
use crate::{Entity, Registry, printable};

#[derive(Debug, Args)]
pub(super) struct Preview {
    /// The file of a preset; `-` is standard input.
    file: PathBuf,
    /// Lets the choices of the preset turn blocks on and off; each has its default for an answer.
    #[arg(long)]
    choices: bool,
    /// Answers a choice, and means --choices: the id of an option, several of them by several
    /// --answer, `on` or `off`, or a text.
    #[arg(long = "answer", value_name = "CHOICE=VALUE", value_parser = pair)]
    answers: Vec<(String, String)>,
    /// Turns a block on or off whatever the choices say, and means --choices.
    #[arg(long = "switch", value_name = "BLOCK=on|off", value_parser = switch)]
    switches: Vec<(String, bool)>,
    #[command(flatten)]
    json: Json,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (id, value) = text.split_once('=').ok_or("expected CHOICE=VALUE")?;
    Ok((id.to_owned(), value.to_owned()))
}

fn switch(text: &str) -> Result<(String, bool), String> {
    let found = text.rsplit_once('=').and_then(|(id, word)| Some((id.to_owned(), on_off(word)?)));
    found.ok_or_else(|| "expected BLOCK=on or BLOCK=off".to_owned())
}

fn on_off(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

impl Preview {
    pub(super) fn run(self, formats: &Registry) -> Done {
        self.show(formats).map_err(|failure| failure.in_file(&self.file).tell(self.json.json))
    }

    fn show(&self, formats: &Registry) -> Result<(), Failure> {
        let input = files::read(&self.file)?;
        let format = formats.recognise(&input)?;
        let imported = format.import(input)?;
        let preset: Entity<PresetBody> = imported.entity.downcast().map_err(|entity| {
            Failure::new(format!("only a preset has a preview; this is a {}", printable(entity.kind())))
        })?;
        let preset = preset.body;
        let mut warnings: Vec<String> = imported.warnings.iter().map(ToString::to_string).collect();

        let asks = self.choices || !self.answers.is_empty() || !self.switches.is_empty();
        let (scene, mut wrong) = if asks { self.scene(&preset) } else { Default::default() };
        let evaluation = asks.then(|| evaluate(&preset, &scene));
        for warning in evaluation.iter().flat_map(|evaluation| &evaluation.warnings) {
            // What was asked for here and cannot be done is no mere warning.
            let list = if warning.is_about_the_scene() { &mut wrong } else { &mut warnings };
            list.push(warning.to_string());
        }
        if !wrong.is_empty() {
            return Err(Failure::new(wrong.join("\n")));
        }
        let preview = evaluation.as_ref().map_or_else(|| preset::preview(&preset), Evaluation::preview);
        if self.json.json {
            output::json_line(&json!({
                "file": self.file.display().to_string(),
                "format": format.id(),
                "name": preset.name,
                "lines": preview.lines.iter().map(line).collect::<Vec<_>>(),
                "weight": weight(&preview),
                "choices": evaluation.as_ref().map(choices),
                "warnings": warnings,
            }));
            return Ok(());
        }
        print(&preset, &preview, evaluation.as_ref());
        warnings.iter().for_each(|warning| output::warning(warning));
        Ok(())
    }

    /// What the arguments say about the choices and blocks of a preset, and which of them mean
    /// nothing.
    fn scene(&self, preset: &PresetBody) -> (Scene, Vec<String>) {
        let mut given: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, value) in &self.answers {
            given.entry(id).or_default().push(value);
        }
        let unanswered = Scene::default();
        let known = evaluate(preset, &unanswered);
        let types: HashMap<&str, PresetChoiceType> =
            known.choices.iter().map(|known| (known.choice.id.as_str(), known.choice.choice_type)).collect();
        let (mut answers, mut wrong) = (BTreeMap::new(), Vec::new());
        for (id, values) in given {
            match types.get(id).map_or_else(|| Err(not_asked(id, &known)), |of_type| answer(*of_type, id, &values)) {
                Ok(answer) => drop(answers.insert(id.to_owned(), answer)),
                Err(message) => wrong.push(message),
            }
        }
        (Scene { answers, switches: self.switches.iter().cloned().collect(), ..Scene::default() }, wrong)
    }
}

/// Why there is no such choice to answer.
fn not_asked(id: &str, known: &Evaluation<'_>) -> String {
    if let Some((_, why)) = known.invalid.iter().find(|(choice, _)| choice.id == id) {
        return format!("choice `{}` is not asked: {why}", printable(id));
    }
    let ids = known.choices.iter().map(|known| known.choice.id.as_str());
    let meant = nearest(id, ids).map(|meant| format!("; did you mean `{}`?", printable(meant)));
    format!("there is no choice `{}`{}", printable(id), meant.unwrap_or_default())
}

/// An answer in the form that a type of choice asks for.
fn answer(of_type: PresetChoiceType, id: &str, values: &[&str]) -> Result<Answer, String> {
    let last = values.last().copied().unwrap_or_default();
    Ok(match of_type {
        PresetChoiceType::One | PresetChoiceType::Input => Answer::Text(last.to_owned()),
        // No value: no option.
        PresetChoiceType::Many => {
            Answer::Many(values.iter().filter(|value| !value.is_empty()).map(|value| (*value).to_owned()).collect())
        }
        PresetChoiceType::Toggle => {
            let on = on_off(last).ok_or_else(|| format!("choice `{}` is answered by `on` or `off`", printable(id)))?;
            Answer::Toggle(on)
        }
    })
}

fn line(line: &Line<'_>) -> Value {
    let block = line.block;
    let mut object = json!({
        "id": block.id,
        "name": block.name,
        "role": block.role.as_str(),
        "placement": block.placement.as_str(),
        "isMarker": block.marker,
        "tokens": line.tokens,
        "text": line.text,
    });
    if let Some(slot) = &block.marker_slot {
        object["markerSlot"] = slot.as_str().into();
    }
    if let Some(depth) = line.depth {
        object["depth"] = Value::Number(depth.into());
    }
    object
}

fn weight(preview: &preset::Preview<'_>) -> Value {
    let weight = &preview.weight;
    let largest = weight.largest.as_ref();
    json!({
        "totalCount": weight.total_count,
        "enabledCount": weight.enabled_count,
        "inChatCount": weight.in_chat_count,
        "tokens": weight.tokens,
        "largest": largest.map(|l| json!({ "id": l.block.id, "name": l.block.name, "tokens": l.tokens })),
    })
}

fn choices(evaluation: &Evaluation<'_>) -> Value {
    let answers = evaluation.choices.iter().map(|Answered { choice, answer, from, .. }| {
        let answer = match answer {
            Answer::Text(text) => json!(text),
            Answer::Many(ids) => json!(ids),
            Answer::Toggle(on) => json!(on),
        };
        let from = if *from == Origin::Declared { "default" } else { "answer" };
        json!({ "id": choice.id, "type": choice.choice_type.as_str(), "answer": answer, "from": from })
    });
    let invalid = evaluation.invalid.iter().map(|(choice, why)| json!({ "id": choice.id, "reason": why.to_string() }));
    json!({ "answers": answers.collect::<Vec<_>>(), "invalid": invalid.collect::<Vec<_>>() })
}

/// What people want to see: the blocks in order, each with the start of its text, and the sums.
fn print(preset: &PresetBody, preview: &preset::Preview<'_>, evaluation: Option<&Evaluation<'_>>) {
    output::line(output::strong(&output::start(&preset.name, 60)));
    for Answered { choice, answer, .. } in evaluation.iter().flat_map(|evaluation| &evaluation.choices) {
        let answer = match answer {
            Answer::Text(text) => text.clone(),
            Answer::Many(ids) => ids.join(", "),
            Answer::Toggle(on) => if *on { "on" } else { "off" }.to_owned(),
        };
        output::line(format!("  {}: {}", output::start(&choice.label, 60), output::start(&answer, 60)));
    }
    for (choice, why) in evaluation.iter().flat_map(|evaluation| &evaluation.invalid) {
        output::line(format!("  {}: not asked, {why}", output::start(&choice.label, 60)));
    }
    let mut rows = vec![["  ID", "NAME", "ROLE", "PLACEMENT", "TOKENS", "TEXT"].map(str::to_owned).to_vec()];
    for line in &preview.lines {
        let block = line.block;
        let placement = output::start(block.placement.as_str(), 20);
        rows.push(vec![
            format!("  {}", output::start(&block.id, 24)),
            output::start(&block.name, 24),
            block.role.as_str().to_owned(),
            line.depth.map_or_else(|| placement.clone(), |depth| format!("{placement} {depth}")),
            line.tokens.to_string(),
            output::start(&line.text, 40),
        ]);
    }
    for (n, row) in output::columns(&rows).iter().enumerate() {
        output::line(if n == 0 { output::faint(row) } else { row.clone() });
    }
    let weight = &preview.weight;
    let largest = weight.largest.as_ref();
    let largest = largest.map(|l| format!("; the largest is {} ({})", output::start(&l.block.id, 24), l.tokens));
    output::line(format!(
        "  {} of {} blocks, {} in the chat; tokens: about {}{}",
        weight.enabled_count,
        weight.total_count,
        weight.in_chat_count,
        weight.tokens,
        largest.unwrap_or_default()
    ));
}
