//! Authentication of hooks by a shared secret, in constant time. Source: `docs/spec/http.md#hooks`.

use hmac::{Hmac, KeyInit, Mac};
use poem::http::HeaderMap;
use sha2::Sha256;

use super::payload::HookService;

/// Whether the raw body is signed with the secret. GitLab sends the secret itself.
pub(super) fn is_valid(
    service: HookService,
    headers: &HeaderMap,
    body: &[u8],
    secret: &str,
) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let signed = |signature: Option<&str>| {
        let signature = signature
            .map(|signature| signature.strip_prefix("sha256=").unwrap_or(signature))
            // It decodes 32 bytes, the length of SHA-256.
            .and_then(|digits| blake3::Hash::from_hex(digits).ok());
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok();
        // `verify_slice` compares in constant time.
        mac.zip(signature).is_some_and(|(mac, signature)| {
            mac.chain_update(body)
                .verify_slice(signature.as_bytes())
                .is_ok()
        })
    };
    match service {
        HookService::GitHub => signed(header("x-hub-signature-256")),
        HookService::Bitbucket => signed(header("x-hub-signature")),
        HookService::Pagure => signed(header("x-pagure-signature-256")),
        HookService::Gitea => signed(
            header("x-gitea-signature")
                .or_else(|| header("x-forgejo-signature"))
                .or_else(|| header("x-hub-signature-256")),
        ),
        HookService::GitLab => {
            let hash = |text: &str| blake3::hash(text.as_bytes());
            // Comparing hashes takes constant time.
            header("x-gitlab-token").is_some_and(|token| hash(token) == hash(secret))
        }
    }
}
