//! Bytecode by hand: the container around sections whose bytes a test spells out.

/// A number as a varint in its shortest form.
pub fn varint(value: u64) -> Vec<u8> {
    let bits = 64 - value.leading_zeros() as usize;
    match bits.div_ceil(7).max(1) {
        n @ 1..=8 => {
            let raw = u128::from(value) << n | 1 << (n - 1);
            raw.to_le_bytes()[..n].to_vec()
        }
        _ => std::iter::once(0).chain(value.to_le_bytes()).collect(),
    }
}

/// The bytes of these numbers as varints.
pub fn varints(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| varint(*value)).collect()
}

/// A section: its number, its size, its bytes.
pub fn section(id: u8, body: &[u8]) -> Vec<u8> {
    [&[id][..], &varint(body.len() as u64), body].concat()
}

/// The parts of a file.
#[derive(Clone)]
pub struct File {
    pub format: u64,
    pub strings: Vec<&'static str>,
    /// Numbers of strings.
    pub dialects: Vec<u64>,
    /// Dialect, name (the number of a string), whether it is registered.
    pub ops: Vec<(u64, u64, bool)>,
    /// Dialect and payload; text without its NUL when the flag is off.
    pub attributes: Vec<(u64, Vec<u8>, bool)>,
    pub types: Vec<(u64, Vec<u8>, bool)>,
    pub properties: Vec<Vec<u8>>,
    pub ir: Vec<u8>,
    /// Further sections with their numbers.
    pub others: Vec<(u8, Vec<u8>)>,
}

impl File {
    /// A file of the newest format with dialects `builtin` (0), `test` (1) and `func` (2); ops `builtin.module` (0), `test.op` (1,
    /// not registered); attribute 0 the unknown location; type 0 `f32`.
    pub fn new(ir: Vec<u8>) -> Self {
        Self {
            format: 6,
            strings: vec!["builtin", "test", "func", "module", "op"],
            dialects: vec![0, 1, 2],
            ops: vec![(0, 3, true), (1, 4, false)],
            attributes: vec![(0, varint(15), true)],
            types: vec![(0, varint(5), true)],
            properties: vec![],
            ir,
            others: vec![],
        }
    }

    /// The number of a string, which is added unless it is there.
    pub fn string(&mut self, text: &'static str) -> u64 {
        match self.strings.iter().position(|string| *string == text) {
            Some(index) => index as u64,
            None => {
                self.strings.push(text);
                self.strings.len() as u64 - 1
            }
        }
    }

    /// The number of a new attribute that dialect 0 encodes.
    pub fn attribute(&mut self, payload: &[u64]) -> u64 {
        self.attributes.push((0, varints(payload), true));
        self.attributes.len() as u64 - 1
    }

    /// The number of a new type that dialect 0 encodes.
    pub fn ty(&mut self, payload: &[u64]) -> u64 {
        self.types.push((0, varints(payload), true));
        self.types.len() as u64 - 1
    }

    /// The whole file.
    pub fn bytes(&self) -> bytes::Bytes {
        let mut file = [&[0x4d, 0x4c, 0xef, 0x52][..], &varint(self.format), b"test\0"].concat();
        file.extend(section(1, &self.dialect_section()));
        let entries = || self.attributes.iter().chain(&self.types);
        let mut offsets = varints(&[self.attributes.len() as u64, self.types.len() as u64]);
        let mut payloads = Vec::new();
        for (dialect, payload, encoded) in entries() {
            let start = payloads.len();
            payloads.extend(payload);
            payloads.extend((!encoded).then_some(0));
            let size = (payloads.len() - start) as u64;
            offsets.extend(varints(&[*dialect, 1, size << 1 | u64::from(*encoded)]));
        }
        file.extend(section(3, &offsets));
        file.extend(section(2, &payloads));
        file.extend(section(4, &self.ir));
        let mut strings = varint(self.strings.len() as u64);
        strings.extend(self.strings.iter().rev().flat_map(|string| varint(string.len() as u64 + 1)));
        strings.extend(self.strings.iter().flat_map(|string| string.bytes().chain([0])));
        file.extend(section(0, &strings));
        if self.format >= 5 {
            let mut properties = varint(self.properties.len() as u64);
            for each in &self.properties {
                properties.extend(varint(each.len() as u64));
                properties.extend(each);
            }
            file.extend(section(8, &properties));
        }
        for (id, body) in &self.others {
            file.extend(section(*id, body));
        }
        file.into()
    }

    fn dialect_section(&self) -> Vec<u8> {
        let mut bytes = varint(self.dialects.len() as u64);
        for name in &self.dialects {
            bytes.extend(varint(if self.format == 0 { *name } else { name << 1 }));
        }
        if self.format >= 4 {
            bytes.extend(varint(self.ops.len() as u64));
        }
        for (dialect, name, registered) in &self.ops {
            let name = if self.format >= 5 { name << 1 | u64::from(*registered) } else { *name };
            bytes.extend(varints(&[*dialect, 1, name]));
        }
        bytes
    }
}

/// The IR section of a module with one block of `n_ops` ops that define `n_values` values.
pub fn module(format: u64, n_ops: u64, n_values: u64, ops: &[u8]) -> Vec<u8> {
    let region = [&varints(&[1, n_values, n_ops << 1])[..], ops].concat();
    let regions = if format >= 2 { section(4, &region) } else { region };
    // One op; name 0, regions only, location 0; one region, isolated.
    [&varint(2)[..], &varint(0), &[0x10], &varints(&[0, 3]), &regions].concat()
}
