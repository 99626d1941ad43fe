/// What is wrong with a struct although each of its fields has the right type: what the function of
/// `#[canonical(check = FUNCTION)]` finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field, by its key in the JSON of the model.
    pub field: &'static str,
    /// What is wrong with it.
    pub message: String,
}

impl Fault {
    /// A fault of a field.
    pub fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self { field, message: message.into() }
    }
}
