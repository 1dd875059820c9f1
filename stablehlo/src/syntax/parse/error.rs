//! Why a production failed.

use std::borrow::Cow;

use nom::error::{ErrorKind, ParseError};

use super::lexical::{self, Input};

/// Why a production failed, and where: the failure that got furthest, with everything that was expected there.
///
/// Leaves make errors with [`expected`] (the next token is a wrong one) and [`fault`] (something that was read is wrong).
#[derive(Clone, PartialEq, Debug)]
pub struct SyntaxError<'s>(pub(super) Box<ErrorData<'s>>);

#[derive(Clone, PartialEq, Debug)]
pub(super) struct ErrorData<'s> {
    /// The bytes left where it failed.
    pub(super) at: Input<'s>,
    /// Stable code, `parse/…`.
    pub(super) code: &'static str,
    pub(super) what: What,
    /// What to do about it.
    pub(super) help: Option<Cow<'static, str>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum What {
    /// The next token is none of these.
    Expected(Vec<&'static str>),
    /// Something that was read is wrong.
    Message(Cow<'static, str>),
    /// Reported already; only the way back to the next op is wanted.
    Reported,
}

/// The result of a production.
pub type PResult<'s, T> = nom::IResult<Input<'s>, T, SyntaxError<'s>>;

/// What a production gives that may find that something else is next.
pub type POptional<'s, T> = Result<Option<(Input<'s>, T)>, nom::Err<SyntaxError<'s>>>;

/// The outcome of a check at a place in the text.
pub type Checked<'s, T> = Result<T, nom::Err<SyntaxError<'s>>>;

/// The error "expected `what`" at the next token of `at`; `what` is a noun with article or a quoted token.
#[cold]
pub fn expected<'s>(at: Input<'s>, code: &'static str, what: &'static str) -> nom::Err<SyntaxError<'s>> {
    nom::Err::Error(SyntaxError(Box::new(ErrorData { at, code, what: What::Expected(vec![what]), help: None })))
}

/// The error `message` about the text at `at`; not to be recovered from inside the op.
#[cold]
pub fn fault<'s>(
    at: Input<'s>,
    code: &'static str,
    message: impl Into<Cow<'static, str>>,
) -> nom::Err<SyntaxError<'s>> {
    let what = What::Message(message.into());
    nom::Err::Failure(SyntaxError(Box::new(ErrorData { at, code, what, help: None })))
}

/// As [`fault`], with a line about what to do.
#[cold]
pub fn fault_with_help<'s>(
    at: Input<'s>,
    code: &'static str,
    message: impl Into<Cow<'static, str>>,
    help: impl Into<Cow<'static, str>>,
) -> nom::Err<SyntaxError<'s>> {
    let what = What::Message(message.into());
    nom::Err::Failure(SyntaxError(Box::new(ErrorData { at, code, what, help: Some(help.into()) })))
}

/// A failure whose diagnostic has been made already; reading goes on at `at`.
#[cold]
pub(super) fn reported<'s>(at: Input<'s>) -> nom::Err<SyntaxError<'s>> {
    nom::Err::Failure(SyntaxError(Box::new(ErrorData { at, code: "parse/reported", what: What::Reported, help: None })))
}

impl<'s> SyntaxError<'s> {
    /// The bytes left where it failed.
    pub fn at(&self) -> Input<'s> {
        self.0.at
    }

    /// Stable code.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// What is wrong, in words, with what was found.
    pub fn message(&self) -> Cow<'static, str> {
        match &self.0.what {
            What::Expected(what) => {
                let wanted = match what.as_slice() {
                    [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
                    what => what.join(", "),
                };
                format!("expected {wanted}, found {}", lexical::describe(self.0.at)).into()
            }
            What::Message(message) => message.clone(),
            What::Reported => "reported before".into(),
        }
    }
}

impl<'s> ParseError<Input<'s>> for SyntaxError<'s> {
    fn from_error_kind(at: Input<'s>, _kind: ErrorKind) -> Self {
        let what = What::Message("unexpected text".into());
        Self(Box::new(ErrorData { at, code: "parse/syntax", what, help: None }))
    }

    /// Keeps the inner failure: it got further.
    fn append(_at: Input<'s>, _kind: ErrorKind, other: Self) -> Self {
        other
    }

    /// Keeps the failure that got further; at the same place everything that was expected.
    fn or(mut self, other: Self) -> Self {
        let (mine, its) = (lexical::skip(self.0.at).len(), lexical::skip(other.0.at).len());
        if mine != its {
            return if mine < its { self } else { other };
        }
        match (&mut self.0.what, &other.0.what) {
            (What::Expected(mine), What::Expected(its)) => {
                for what in its {
                    if !mine.contains(what) {
                        mine.push(what);
                    }
                }
                self
            }
            _ => other,
        }
    }
}

/// Makes an error final: no other alternative will be tried (nom's `cut` for the result of a method).
pub fn cut<T>(result: PResult<'_, T>) -> PResult<'_, T> {
    match result {
        Err(nom::Err::Error(error)) => Err(nom::Err::Failure(error)),
        other => other,
    }
}
