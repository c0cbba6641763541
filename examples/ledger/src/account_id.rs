use einmal::store::{Parameter, ParameterType, ToParameter};

/// The id of an account: 2 to 40 characters of a-z, 0-9 and `-`.
#[derive(Clone, PartialEq)]
pub struct AccountId(String);

impl AccountId {
    /// Parses an id; `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let is_id = (2..=40).contains(&text.len())
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        is_id.then(|| Self(text.to_owned()))
    }
}

impl ToParameter for AccountId {
    const TYPE: ParameterType = ParameterType::Text;

    fn to_parameter(&self) -> Parameter {
        self.0.to_parameter()
    }
}
