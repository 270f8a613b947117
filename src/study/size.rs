//! Cost against retention: one case of `size` asked again for the retentions that people weigh.

use crate::engine::size::{self, Answer, Sizing};
use crate::error::Result;
use crate::question::Progress;
use crate::store::price::Book;
use crate::units::{Exact, Span};

/// From an hour to a year, the retentions that reviews argue about, in hours.
const RETENTIONS_H: [u128; 10] = [1, 6, 24, 72, 168, 336, 720, 2_160, 4_320, 8_766];

/// The first case of a question at each of the usual retentions and at its own, in rising order.
///
/// # Errors
/// As [`size::answer`]; retentions whose figures would not fit are left out.
pub fn by_retention(question: &Sizing, book: &Book, progress: &dyn Progress) -> Result<Answer> {
    let mut inputs = question.first_case();
    let own = inputs.retention_s[0];
    let usual = RETENTIONS_H.iter().filter_map(|hours| Span::new(Exact::whole(hours * 3_600)));
    let mut retentions: Vec<Span> = usual.chain([own]).collect();
    retentions.sort_by(|a, b| a.as_f64().total_cmp(&b.as_f64()));
    retentions.dedup();
    inputs.growth = None;
    inputs.explain = false;
    let mut cases = Vec::with_capacity(retentions.len());
    for retention in retentions {
        inputs.retention_s = vec![retention];
        match size::answer(&Sizing::new(inputs.clone())?, book, progress) {
            Ok(answer) => cases.extend(answer.cases),
            Err(error) if retention == own => return Err(error),
            Err(_) => {}
        }
    }
    Ok(Answer { cases })
}
