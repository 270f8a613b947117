//! Where the ids of a trial come from: what is drawn, in which order, and what mathematics expects of it.
