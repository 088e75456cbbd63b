//! What of a new configuration can be in force only after a restart.

use super::Config;

impl Config {
    /// The names of the settings that another configuration sets differently and that hold for as long as the program
    /// runs.
    pub fn differs_for_good(&self, other: &Self) -> Vec<&'static str> {
        let differs = [
            ("listen", self.listen != other.listen),
            ("state-dir", self.state_dir != other.state_dir),
            ("history", self.history != other.history),
            ("base-url", self.base_url != other.base_url),
            ("site-url", self.site_url != other.site_url),
            ("allowed-hosts", self.allowed_hosts != other.allowed_hosts),
            ("trusted-proxies", self.trusted_proxies != other.trusted_proxies),
            ("cors-origins", self.cors_origins != other.cors_origins),
            ("tokens", self.tokens != other.tokens),
            ("rate-limit", self.rate_limit != other.rate_limit),
            ("max-connections", self.max_connections != other.max_connections),
            ("header-timeout", self.header_timeout != other.header_timeout),
            ("idle-timeout", self.idle_timeout != other.idle_timeout),
            ("same-words", self.same_words != other.same_words),
            ("cache-size", self.cache_size != other.cache_size),
            ("log-format", self.log_format != other.log_format),
            ("log-level", self.log_level != other.log_level),
        ];
        differs.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect()
    }
}
