//! Metrics as Prometheus reads them: text in the format 0.0.4, written by the crate `prometheus`.

use prometheus::proto::{Bucket, Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};
use prometheus::{TEXT_FORMAT, TextEncoder};

/// The content type of the text.
pub const MEDIA_TYPE: &str = TEXT_FORMAT;

/// Metrics on their way into a text.
#[derive(Debug, Default)]
pub struct Exposition {
    families: Vec<MetricFamily>,
}

/// The samples of one name.
#[derive(Debug)]
pub struct Family<'a> {
    family: &'a mut MetricFamily,
}

/// Labels: names and values.
pub type Labels<'a> = [(&'a str, &'a str)];

/// How often something took how long.
#[derive(Debug)]
pub struct Histogram<'a> {
    /// Upper bounds, ascending, in seconds.
    pub bounds: &'a [f64],
    /// How often it took at most the bound and longer than the one before; one more for what took longer than all.
    pub counts: &'a [u64],
    /// All times together, in seconds.
    pub sum: f64,
}

impl Exposition {
    /// Begins a number that only grows; its name ends with `_total`.
    pub fn counter(&mut self, name: &str, help: &str) -> Family<'_> {
        self.family(name, help, MetricType::COUNTER)
    }

    /// Begins a number that grows and shrinks.
    pub fn gauge(&mut self, name: &str, help: &str) -> Family<'_> {
        self.family(name, help, MetricType::GAUGE)
    }

    /// Begins times.
    pub fn histogram(&mut self, name: &str, help: &str) -> Family<'_> {
        self.family(name, help, MetricType::HISTOGRAM)
    }

    fn family(&mut self, name: &str, help: &str, kind: MetricType) -> Family<'_> {
        let mut family = MetricFamily::default();
        family.set_name(name.to_owned());
        family.set_help(help.to_owned());
        family.set_field_type(kind);
        let at = self.families.len();
        self.families.push(family);
        Family { family: &mut self.families[at] }
    }

    /// The text. Names without a sample are left out.
    pub fn text(mut self) -> String {
        self.families.retain(|family| !family.get_metric().is_empty());
        let mut text = String::new();
        if let Err(error) = TextEncoder::new().encode_utf8(&self.families, &mut text) {
            // Only families without a name or a sample are refused.
            tracing::error!(%error, "the metrics cannot be written");
        }
        text
    }
}

impl Family<'_> {
    /// Adds a sample.
    pub fn add(&mut self, labels: &Labels<'_>, value: f64) {
        let mut metric = labelled(labels);
        match self.family.get_field_type() {
            MetricType::COUNTER => {
                let mut counter = Counter::default();
                counter.set_value(value);
                metric.set_counter(counter);
            }
            _ => {
                let mut gauge = Gauge::default();
                gauge.set_value(value);
                metric.set_gauge(gauge);
            }
        }
        self.family.mut_metric().push(metric);
    }

    /// Adds times.
    pub fn add_times(&mut self, labels: &Labels<'_>, times: &Histogram<'_>) {
        let mut count = 0;
        let mut buckets = Vec::with_capacity(times.bounds.len());
        for (bound, own) in times.bounds.iter().zip(times.counts) {
            count += own;
            let mut bucket = Bucket::default();
            bucket.set_upper_bound(*bound);
            bucket.set_cumulative_count(count);
            buckets.push(bucket);
        }
        let mut histogram = prometheus::proto::Histogram::default();
        histogram.set_bucket(buckets);
        histogram.set_sample_count(times.counts.iter().sum());
        histogram.set_sample_sum(times.sum);
        let mut metric = labelled(labels);
        metric.set_histogram(histogram);
        self.family.mut_metric().push(metric);
    }
}

fn labelled(labels: &Labels<'_>) -> Metric {
    let pair = |(name, value): &(&str, &str)| {
        let mut pair = LabelPair::default();
        pair.set_name((*name).to_owned());
        pair.set_value((*value).to_owned());
        pair
    };
    Metric::from_label(labels.iter().map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_below_what_they_are_and_odd_labels_do_no_harm() {
        let mut page = Exposition::default();
        page.counter("looks_total", "Looks.").add(&[("repository", "a\"b\\c\nd")], 3.0);
        page.gauge("empty", "Nothing.");
        page.gauge("bytes", "Bytes.").add(&[], 1.5e9);
        let times = Histogram { bounds: &[0.1, 1.0], counts: &[2, 1, 4], sum: 20.5 };
        page.histogram("took_seconds", "Times.").add_times(&[], &times);
        let wanted = "# HELP looks_total Looks.\n# TYPE looks_total counter\n\
                      looks_total{repository=\"a\\\"b\\\\c\\nd\"} 3\n\
                      # HELP bytes Bytes.\n# TYPE bytes gauge\nbytes 1500000000\n\
                      # HELP took_seconds Times.\n# TYPE took_seconds histogram\n\
                      took_seconds_bucket{le=\"0.1\"} 2\ntook_seconds_bucket{le=\"1\"} 3\n\
                      took_seconds_bucket{le=\"+Inf\"} 7\ntook_seconds_sum 20.5\ntook_seconds_count 7\n";
        assert_eq!(page.text(), wanted);
    }
}
