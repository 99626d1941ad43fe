//! Interleaved measuring: every round runs each variant once, and what is told is ratios of
//! medians. A machine that grows slower while it measures then slows all variants alike.

use std::time::{Duration, Instant};

/// One thing to be measured. What it returns is dropped outside the measured time.
pub(crate) struct Variant<'a> {
    /// What it is called.
    pub(crate) name: &'static str,
    run: Box<dyn Fn(usize) -> Box<dyn std::any::Any> + 'a>,
    prepare: Box<dyn Fn(usize) + 'a>,
}

impl<'a> Variant<'a> {
    /// A variant that needs nothing made ready.
    pub(crate) fn new<T: 'static>(name: &'static str, run: impl Fn() -> T + 'a) -> Self {
        Self { name, run: Box::new(move |_| Box::new(run())), prepare: Box::new(|_| {}) }
    }

    /// A variant that takes an input by value; it is made before the clock starts.
    pub(crate) fn taking<I: 'static, T: 'static>(
        name: &'static str,
        make: impl Fn() -> I + 'a,
        run: impl Fn(I) -> T + 'a,
    ) -> Self {
        let inputs = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let filled = inputs.clone();
        Self {
            name,
            prepare: Box::new(move |count| filled.borrow_mut().extend((0..count).map(|_| make()))),
            run: Box::new(move |_| {
                let input = inputs.borrow_mut().pop().expect("one input for each run");
                Box::new(run(input))
            }),
        }
    }
}

/// Runs the variants for a while and prints their medians, the first one being the unit.
pub(crate) fn compare(title: &str, bytes: usize, variants: &[Variant<'_>], time: Duration) {
    let repeat = (200_000 / bytes.max(1)).clamp(1, 400);
    let mut times = vec![Vec::new(); variants.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 9 || start.elapsed() < time {
        for (variant, times) in variants.iter().zip(&mut times) {
            (variant.prepare)(repeat);
            let mut kept = Vec::with_capacity(repeat);
            let clock = Instant::now();
            for n in 0..repeat {
                kept.push(std::hint::black_box((variant.run)(n)));
            }
            let took = clock.elapsed().as_secs_f64() / repeat as f64;
            drop(kept);
            // The first round warms up.
            if rounds > 0 {
                times.push(took);
            }
        }
        rounds += 1;
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let medians: Vec<f64> = times.iter_mut().map(median).collect();
    println!("\n{title}: {bytes} bytes, {} rounds", rounds - 1);
    for (variant, took) in variants.iter().zip(&medians) {
        let speed = bytes as f64 / took / 1e6;
        println!("  {:<44} {:>7.2} x   {:>9.1} us {:>7.0} MB/s", variant.name, took / medians[0], took * 1e6, speed);
    }
}
