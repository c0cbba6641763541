//! The Worker that is deployed: the service of the crate `einmal`, and nothing of its own.

use einmal as _;
