//! The wire: which requests are accepted, and the bytes of the answers.
//!
//! The same tests run on the host and, as wasm, in Node.js: the two builds must behave alike.

mod answers;
mod failures;
mod identity;
mod random;
mod requests;

/// One attribute for both builds: the host's own, and the one that wasm needs.
mod prelude {
    #[cfg(not(target_arch = "wasm32"))]
    pub use core::prelude::v1::test;
    #[cfg(target_arch = "wasm32")]
    pub use wasm_bindgen_test::wasm_bindgen_test as test;
}
