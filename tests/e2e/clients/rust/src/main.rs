//! Pages through units and changes with the generated client, and follows the log; prints numbers and totals of ids.

use std::num::NonZeroU64;

progenitor::generate_api!(spec = "openapi.json", interface = Builder);

/// All entries of a list: `ask` fetches the page of that number.
macro_rules! everything {
    ($client:expr, $ask:ident) => {{
        let mut ids = Vec::new();
        for number in (1..).filter_map(NonZeroU64::new) {
            let page = $client.$ask().page(number).page_size(100).send().await?.into_inner();
            ids.extend(page.results.iter().map(|entry| entry.id as u64));
            if page.next.is_none() {
                assert_eq!(ids.len() as u64, page.count as u64);
                break;
            }
        }
        println!("{} {}", ids.len(), ids.iter().sum::<u64>());
    }};
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = std::env::args().nth(1).ok_or("the address of the server is missing")?;
    let client = Client::new(&base);
    everything!(client, list_units);
    everything!(client, list_changes);

    // Follows the log from its beginning: each answer has the entries after the last one.
    let mut followed: Vec<u64> = Vec::new();
    loop {
        let last = followed.last().copied().unwrap_or_default();
        let page = client.list_changes().id_after(last).page_size(7).send().await?.into_inner();
        if page.results.is_empty() {
            break;
        }
        followed.extend(page.results.iter().map(|entry| entry.id as u64));
    }
    println!("{} {}", followed.len(), followed.iter().sum::<u64>());

    // A component at a revision, and a comparison.
    let units = client
        .list_units_of_revision()
        .project("reading-lamp")
        .component("extension")
        .revision("HEAD")
        .send()
        .await?
        .into_inner();
    let report = client
        .compare_revisions()
        .project("reading-lamp")
        .component("extension")
        .range("HEAD...HEAD")
        .send()
        .await?
        .into_inner();
    println!("{} {}", units.count, report.count);
    Ok(())
}
