//! Expected leaves of a B-tree under uniform inserts.
