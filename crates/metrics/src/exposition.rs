//! The Prometheus text format 0.0.4.

/// The content type of the text.
pub const MEDIA_TYPE: &str = "text/plain; version=0.0.4";

/// A page of metrics.
#[derive(Debug, Default)]
pub struct Exposition {
    families: Vec<Family>,
    omitted: &'static [&'static str],
}

/// The samples of one metric.
#[derive(Debug)]
pub struct Family {
    name: String,
    /// The lines before the samples.
    header: String,
    /// Names with labels, as they are written, and values.
    samples: Vec<(String, f64)>,
    omitted: &'static [&'static str],
}

/// Label names and values.
pub type Labels<'a> = [(&'a str, &'a str)];

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
    pub fn counter(&mut self, name: &str, help: &str) -> &mut Family {
        self.family(name, help, "counter")
    }

    /// Adds a gauge.
    pub fn gauge(&mut self, name: &str, help: &str) -> &mut Family {
        self.family(name, help, "gauge")
    }

    /// Adds a histogram of durations.
    pub fn histogram(&mut self, name: &str, help: &str) -> &mut Family {
        self.family(name, help, "histogram")
    }

    fn family(&mut self, name: &str, help: &str, kind: &str) -> &mut Family {
        let at = self.families.len();
        self.families.push(Family {
            name: name.to_owned(),
            header: format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"),
            samples: Vec::new(),
            omitted: self.omitted,
        });
        &mut self.families[at]
    }

    /// The text of the page. Omits metrics without a sample.
    pub fn text(self) -> String {
        let mut text = String::new();
        let families = self.families.iter();
        for family in families.filter(|family| !family.samples.is_empty()) {
            text += &family.header;
            for (sample, value) in &family.samples {
                text += &format!("{sample} {value}\n");
            }
        }
        text
    }
}

impl Family {
    /// Adds a sample.
    pub fn add(&mut self, labels: &Labels<'_>, value: f64) {
        let sample = self.sample("", labels);
        // Equal labels are possible only if labels were omitted.
        let known = if self.omitted.is_empty() {
            0
        } else {
            self.samples.len()
        };
        let mut samples = self.samples[..known].iter_mut();
        let equal = samples.find(|(other, _)| *other == sample);
        match equal {
            Some((_, other)) if self.name.ends_with("_timestamp_seconds") => {
                *other = other.min(value);
            }
            Some((_, other)) => *other += value,
            None => self.samples.push((sample, value)),
        }
    }

    /// Adds durations with this sum in seconds. `bounds` are the upper bounds of the buckets in seconds, ascending.
    /// `counts` has the number of durations in each bucket, and last those above all bounds.
    pub fn add_durations(&mut self, labels: &Labels<'_>, bounds: &[f64], counts: &[u64], sum: f64) {
        let mut count = 0;
        let bounds = bounds.iter().map(f64::to_string);
        for (bound, own) in bounds.chain(["+Inf".to_owned()]).zip(counts) {
            count += own;
            let bucket = [labels, &[("le", &bound)]].concat();
            let sample = self.sample("_bucket", &bucket);
            self.samples.push((sample, count as f64));
        }
        for (suffix, value) in [("_sum", sum), ("_count", count as f64)] {
            self.samples.push((self.sample(suffix, labels), value));
        }
    }

    /// The name of the metric and the labels of a sample.
    fn sample(&self, suffix: &str, labels: &Labels<'_>) -> String {
        let shown = labels.iter();
        let shown = shown.filter(|label| !self.omitted.contains(&label.0));
        let labels = shown.map(|(name, value)| {
            let value = value.replace('\\', "\\\\").replace('\n', "\\n");
            format!("{name}=\"{}\"", value.replace('"', "\\\""))
        });
        let labels: Vec<String> = labels.collect();
        let name = [&self.name, suffix].concat();
        match labels.join(",") {
            labels if labels.is_empty() => name,
            labels => format!("{name}{{{labels}}}"),
        }
    }
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
        page.histogram("duration_seconds", "Durations.")
            .add_durations(&[], &[0.1, 1.0], &[2, 1, 4], 20.5);
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
        let family = page.gauge("units", "Units.");
        for (component, project, value) in [("a", "p", 1.0), ("a", "q", 5.0), ("b", "p", 2.0)] {
            family.add(&[("project", project), ("component", component)], value);
        }
        let family = page.gauge("poll_timestamp_seconds", "Time.");
        family.add(&[("repository", "r")], 9.0);
        family.add(&[("repository", "s")], 7.0);
        let text = page.text();
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let expected = [
            "units{project=\"p\"} 3",
            "units{project=\"q\"} 5",
            "poll_timestamp_seconds 7",
        ];
        assert_eq!(samples, expected);
    }
}
