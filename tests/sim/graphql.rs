//! As much GraphQL as a price list needs: selections with aliases, arguments and variables, answered from a
//! resolver. No fragments, directives or types.

use serde_json::{Map, Value, json};

/// One selected field.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// Its name in the answer.
    pub alias: String,
    /// Its name.
    pub name: String,
    /// Its arguments, variables filled in.
    pub arguments: Value,
    /// What is selected inside.
    pub selection: Vec<Field>,
}

/// Reads the selection of a query.
///
/// # Errors
/// A sentence about what was expected where.
pub fn parse(query: &str, variables: &Value) -> Result<Vec<Field>, String> {
    let start = query.find('{').ok_or("Syntax Error: Expected \"{\", found <EOF>.")?;
    let mut parser = Parser { tokens: tokens(&query[start..]), at: 0, variables };
    parser.selection()
}

/// Answers a selection from an object; `compute` may answer a field itself, given its object and the field.
pub fn select(
    object: &Value,
    selection: &[Field],
    compute: &dyn Fn(&Value, &Field) -> Option<Value>,
) -> Value {
    let mut answer = Map::new();
    for field in selection {
        let value = compute(object, field).unwrap_or_else(|| object[&field.name].clone());
        let value = match value {
            value if field.selection.is_empty() => value,
            Value::Array(items) => items.iter().map(|item| select(item, &field.selection, compute)).collect(),
            Value::Null => Value::Null,
            value => select(&value, &field.selection, compute),
        };
        answer.insert(field.alias.clone(), value);
    }
    Value::Object(answer)
}

/// Splits a query: punctuation, quoted strings, and words (names, numbers, variables).
fn tokens(query: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = query.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' | '}' | '(' | ')' | ':' | '[' | ']' => tokens.push(c.to_string()),
            '"' => {
                let text: String = rest.by_ref().take_while(|c| *c != '"').collect();
                tokens.push(format!("\"{text}"));
            }
            c if c.is_whitespace() || c == ',' => {}
            c => {
                let mut word = c.to_string();
                while let Some(next) = rest.next_if(|c| c.is_alphanumeric() || "_.-$".contains(*c)) {
                    word.push(next);
                }
                tokens.push(word);
            }
        }
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    variables: &'a Value,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_owned();
        self.at += 1;
        token
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let found = self.next();
        if found == wanted {
            Ok(())
        } else {
            Err(format!("Syntax Error: Expected {wanted:?}, found {found:?}."))
        }
    }

    fn selection(&mut self) -> Result<Vec<Field>, String> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while self.peek() != "}" {
            fields.push(self.field()?);
        }
        self.expect("}")?;
        Ok(fields)
    }

    fn field(&mut self) -> Result<Field, String> {
        let alias = self.next();
        if !alias.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("Syntax Error: Expected Name, found {alias:?}."));
        }
        let name = if self.peek() == ":" {
            self.next();
            self.next()
        } else {
            alias.clone()
        };
        let arguments = if self.peek() == "(" { self.object("(", ")")? } else { json!({}) };
        let selection = if self.peek() == "{" { self.selection()? } else { Vec::new() };
        Ok(Field { alias, name, arguments, selection })
    }

    fn object(&mut self, open: &str, close: &str) -> Result<Value, String> {
        self.expect(open)?;
        let mut object = Map::new();
        while self.peek() != close {
            let name = self.next();
            self.expect(":")?;
            object.insert(name, self.value()?);
        }
        self.expect(close)?;
        Ok(Value::Object(object))
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.peek() == "{" {
            return self.object("{", "}");
        }
        if self.peek() == "[" {
            self.next();
            let mut items = Vec::new();
            while self.peek() != "]" {
                items.push(self.value()?);
            }
            self.next();
            return Ok(Value::Array(items));
        }
        let token = self.next();
        if token.is_empty() {
            return Err("Syntax Error: Unexpected <EOF>.".to_owned());
        }
        if let Some(text) = token.strip_prefix('"') {
            return Ok(text.into());
        }
        if let Some(name) = token.strip_prefix('$') {
            return Ok(self.variables[name].clone());
        }
        // Numbers, true, false and null are written as in JSON; anything else is an enum value.
        Ok(serde_json::from_str(&token).unwrap_or_else(|_| token.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_arguments_and_variables_are_read() {
        let query = r#"query Q($n: Int) { gpuTypes { id one: lowestPrice(input: {gpuCount: $n, dataCenterId: "EU-SE-1"}) { stockStatus } } }"#;
        let fields = parse(query, &json!({"n": 8})).unwrap();
        let inner = &fields[0].selection[1];
        assert_eq!((inner.alias.as_str(), inner.name.as_str()), ("one", "lowestPrice"));
        assert_eq!(inner.arguments, json!({"input": {"gpuCount": 8, "dataCenterId": "EU-SE-1"}}));
        assert_eq!(inner.selection[0].name, "stockStatus");
    }

    #[test]
    fn a_query_cut_short_is_a_syntax_error() {
        assert!(parse("{ gpuTypes { id ", &Value::Null).unwrap_err().contains("Syntax Error"));
    }

    #[test]
    fn only_what_was_selected_is_answered() {
        let data = json!({"gpuTypes": [{"id": "a", "memoryInGb": 24, "secret": 1}]});
        let fields = parse("{ gpuTypes { id gb: memoryInGb } }", &Value::Null).unwrap();
        assert_eq!(select(&data, &fields, &|_, _| None), json!({"gpuTypes": [{"id": "a", "gb": 24}]}));
    }
}
