//! Element types and the text of their values.
