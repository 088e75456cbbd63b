//! The Prometheus text format 0.0.4, encoded by the crate `prometheus`.

use prometheus::proto::{Bucket, Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};
use prometheus::{TEXT_FORMAT, TextEncoder};

/// The content type of the text.
pub const MEDIA_TYPE: &str = TEXT_FORMAT;

/// A page of metrics.
#[derive(Debug, Default)]
pub struct Exposition {
    families: Vec<MetricFamily>,
    omitted: &'static [&'static str],
}

/// The samples of one metric.
#[derive(Debug)]
pub struct Family<'a> {
    family: &'a mut MetricFamily,
    omitted: &'static [&'static str],
}

/// Label names and values.
pub type Labels<'a> = [(&'a str, &'a str)];

/// The distribution of durations.
#[derive(Debug)]
pub struct Histogram<'a> {
    /// Upper bounds, ascending, in seconds.
    pub bounds: &'a [f64],
    /// Number of durations up to each bound and above the previous one; then of those above all bounds.
    pub counts: &'a [u64],
    /// The sum of all durations, in seconds.
    pub sum: f64,
}

impl Exposition {
    /// A page without some labels. Samples whose other labels are equal become one: the smallest value of metrics that
    /// end with `_timestamp_seconds`, and the sum of others.
    pub fn without_labels(omitted: &'static [&'static str]) -> Self {
        Self {
            omitted,
            ..Self::default()
        }
    }

    /// Adds a counter; its name ends with `_total`.
    pub fn counter(&mut self, name: &str, help: &str) -> Family<'_> {
        self.family(name, help, MetricType::COUNTER)
    }

    /// Adds a gauge.
    pub fn gauge(&mut self, name: &str, help: &str) -> Family<'_> {
        self.family(name, help, MetricType::GAUGE)
    }

    /// Adds a histogram of durations.
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
        Family {
            family: &mut self.families[at],
            omitted: self.omitted,
        }
    }

    /// Encodes the page. Omits metrics without a sample.
    pub fn text(mut self) -> String {
        self.families
            .retain(|family| !family.get_metric().is_empty());
        let mut text = String::new();
        if let Err(error) = TextEncoder::new().encode_utf8(&self.families, &mut text) {
            // Possible only for a metric without a name or a sample.
            tracing::error!(%error, "cannot encode the metrics");
        }
        text
    }
}

impl Family<'_> {
    /// Adds a sample.
    pub fn add(&mut self, labels: &Labels<'_>, value: f64) {
        let mut metric = labelled(labels, self.omitted);
        let value = self.merged(&metric, value);
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

    /// Removes the sample with equal labels, and returns its value together with another.
    fn merged(&mut self, metric: &Metric, value: f64) -> f64 {
        let metrics = self.family.get_metric();
        let equal = |other: &Metric| other.get_label() == metric.get_label();
        // Equal labels are possible only if labels were omitted.
        let Some(at) = (!self.omitted.is_empty())
            .then(|| metrics.iter().position(equal))
            .flatten()
        else {
            return value;
        };
        let oldest = self.family.name().ends_with("_timestamp_seconds");
        let counter = self.family.get_field_type() == MetricType::COUNTER;
        let other = self.family.mut_metric().remove(at);
        let other = if counter {
            other.get_counter().get_value()
        } else {
            other.get_gauge().get_value()
        };
        if oldest {
            value.min(other)
        } else {
            value + other
        }
    }

    /// Adds durations.
    pub fn add_durations(&mut self, labels: &Labels<'_>, durations: &Histogram<'_>) {
        let mut count = 0;
        let mut buckets = Vec::with_capacity(durations.bounds.len());
        for (bound, own) in durations.bounds.iter().zip(durations.counts) {
            count += own;
            let mut bucket = Bucket::default();
            bucket.set_upper_bound(*bound);
            bucket.set_cumulative_count(count);
            buckets.push(bucket);
        }
        let mut histogram = prometheus::proto::Histogram::default();
        histogram.set_bucket(buckets);
        histogram.set_sample_count(durations.counts.iter().sum());
        histogram.set_sample_sum(durations.sum);
        let mut metric = labelled(labels, self.omitted);
        metric.set_histogram(histogram);
        self.family.mut_metric().push(metric);
    }
}

fn labelled(labels: &Labels<'_>, omitted: &[&str]) -> Metric {
    let pair = |(name, value): &(&str, &str)| {
        let mut pair = LabelPair::default();
        pair.set_name((*name).to_owned());
        pair.set_value((*value).to_owned());
        pair
    };
    let labels = labels.iter().filter(|(name, _)| !omitted.contains(name));
    Metric::from_label(labels.map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_follow_their_metric_and_labels_are_escaped() {
        let mut page = Exposition::default();
        page.counter("polls_total", "Polls.")
            .add(&[("repository", "a\"b\\c\nd")], 3.0);
        page.gauge("empty", "Nothing.");
        page.gauge("bytes", "Bytes.").add(&[], 1.5e9);
        let times = Histogram {
            bounds: &[0.1, 1.0],
            counts: &[2, 1, 4],
            sum: 20.5,
        };
        page.histogram("duration_seconds", "Durations.")
            .add_durations(&[], &times);
        let wanted = "# HELP polls_total Polls.\n# TYPE polls_total counter\n\
                      polls_total{repository=\"a\\\"b\\\\c\\nd\"} 3\n\
                      # HELP bytes Bytes.\n# TYPE bytes gauge\nbytes 1500000000\n\
                      # HELP duration_seconds Durations.\n# TYPE duration_seconds histogram\n\
                      duration_seconds_bucket{le=\"0.1\"} 2\nduration_seconds_bucket{le=\"1\"} 3\n\
                      duration_seconds_bucket{le=\"+Inf\"} 7\nduration_seconds_sum 20.5\nduration_seconds_count 7\n";
        assert_eq!(page.text(), wanted);
    }

    #[test]
    fn samples_without_a_label_are_merged() {
        let mut page = Exposition::without_labels(&["component", "repository"]);
        let mut family = page.gauge("units", "Units.");
        for (component, project, value) in [("a", "p", 1.0), ("a", "q", 5.0), ("b", "p", 2.0)] {
            family.add(&[("project", project), ("component", component)], value);
        }
        let mut family = page.gauge("poll_timestamp_seconds", "Time.");
        family.add(&[("repository", "r")], 9.0);
        family.add(&[("repository", "s")], 7.0);
        let text = page.text();
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let expected = [
            "units{project=\"q\"} 5",
            "units{project=\"p\"} 3",
            "poll_timestamp_seconds 7",
        ];
        assert_eq!(samples, expected);
    }
}
