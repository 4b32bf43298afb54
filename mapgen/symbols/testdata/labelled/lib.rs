//! Sizes of things.
#![cfg(feature = "std")]
use std::collections::{HashMap, hash_map::Entry as E};
use crate::util::*;
use super::outer;
use serde;
pub use self::inner::{Deep, Other as Renamed};
pub use crate::wide::*;
pub(crate) use crate::quiet::Quiet;
extern crate alloc;
mod inner;
pub mod shapes;
pub mod units {
    pub const KG: u32 = 1;
    pub fn convert(x: u32) -> u32 { x }
    fn hidden() {}
    pub struct Unit { pub n: u32 }
}
#[cfg(test)]
mod tests { pub fn nope() {} }

pub const MAX: usize = 10;
pub static GLOBAL: &str = "x";
const LOCAL: u8 = 1;
pub type Map<K> = HashMap<K, String>;
#[derive(Debug, Clone)]
pub struct Size<T: Copy, const N: usize = 3> where T: Default { pub bytes: T, hidden: u8, pub(crate) half: u8 }
pub struct Tuple(pub u32, u8);
pub struct Unit;
pub enum Kind { A, B(u8), C { x: u8 } }
enum Quiet2 { A }
pub(crate) fn crate_only() {}
pub(super) struct Up;
pub union Bits { pub a: u32, b: f32 }
pub trait Measure: Send + Sync {
    type Output;
    const ID: u32;
    fn measure(&self) -> Self::Output;
    fn twice(&self) -> u32 { 2 }
}
trait Private { fn no(&self); }
impl<T: Copy + Default, const N: usize> Size<T, N> {
    pub const ZERO: u8 = 0;
    pub fn new(bytes: T) -> Self { todo!() }
    fn internal(&self) {}
    pub(crate) fn semi(&self) {}
    pub async fn later<'a>(&'a self) -> Result<&'a T, Error> { todo!() }
}
impl<T: Copy + Default> Measure for Size<T> {
    type Output = u32;
    const ID: u32 = 1;
    fn measure(&self) -> u32 { 1 }
}
impl Drop for Quiet2 { fn drop(&mut self) {} }
pub fn parse<'a, T>(text: &'a str, f: impl Fn(T) -> u8) -> Option<T>
where
    T: From<u8>,
{
    None
}
pub unsafe extern "C" fn raw(p: *const u8) {}
#[macro_export]
macro_rules! sizes { ($($x:expr),*) => { vec![$($x),*] }; }
macro_rules! quiet { () => {}; }
fn local() {}
extern "C" { pub fn imported(x: i32) -> i32; fn quiet_c(); }
