# Recipes for developers; see CONTRIBUTING.md. `just check` needs neither root nor a network, except for crates.

# List the recipes.
default:
    @just --list

# Check everything that a pull request must pass.
check: format-check lint test test-features openapi-check

# Format the code.
format:
    cargo fmt

# Check the formatting.
format-check:
    cargo fmt --check

# Run clippy.
lint:
    cargo clippy --locked --all-targets --all-features -- -D warnings

# Run all tests, or those of one module: just test checks::
test *filter:
    cargo test --locked {{filter}}

# Run the tests that features affect, with all features.
test-features:
    cargo test --locked -p gitglot -p gitglot-api -p gitglot-store --all-features --lib --bins --test server --test documentation

# Regenerate the OpenAPI document.
openapi:
    cargo run --locked -- openapi --format json > openapi/openapi.json
    cargo run --locked -- openapi --format yaml > openapi/openapi.yaml
    cargo run --locked -- openapi --api current --format json > openapi/current.json
    cargo run --locked -- openapi --api current --format yaml > openapi/current.yaml

# Regenerate the parts of the documents that describe settings and tables.
docs:
    UPDATE_DOCS=1 cargo test --locked --test documentation the_configuration_reference
    UPDATE_DOCS=1 cargo test --locked -p gitglot-checks --lib the_pages_of_the_checks
    UPDATE_DOCS=1 cargo test --locked -p gitglot-api --lib the_list_of_differences
    cargo run --locked -- export --schema > docs/tables.md

# Check that the OpenAPI document is current.
openapi-check:
    cargo run --locked --quiet -- openapi --format json | diff - openapi/openapi.json
    cargo run --locked --quiet -- openapi --format yaml | diff - openapi/openapi.yaml
    cargo run --locked --quiet -- openapi --api current --format json | diff - openapi/current.json
    cargo run --locked --quiet -- openapi --api current --format yaml | diff - openapi/current.yaml

# Serve the example projects.
demo *flags:
    cargo run --locked -- demo {{flags}}

# Run real clients and injected faults. Needs Python 3; downloads clients from PyPI and npm.
e2e minutes="8":
    cargo build --locked --all-features
    tests/e2e/run --program target/debug/gitglot --minutes {{minutes}} clients
    tests/e2e/run --program target/debug/gitglot --rounds 2 upstream-changes kills network

# Run the benchmarks.
bench *filter:
    cargo bench --locked {{filter}}

# Check advisories, licences and sources of dependencies. Needs cargo-deny and a network.
deny:
    cargo deny check

# Check the spelling. Needs typos.
typos:
    typos
