//! Tests of the resources that only the current API has.

use super::MOST_RESULTS;
use crate::tests::api;
use crate::tests::testing::get;

#[tokio::test]
async fn a_search_finds_names_slugs_and_codes() {
    let api = api();
    let found = async |query: &str| {
        let results = get(&api, &format!("/current/api/search/?q={query}")).await;
        let results = results.json();
        let results = results.as_array().unwrap().iter();
        let result = |result: &serde_json::Value| {
            let text = |name: &str| result[name].as_str().unwrap().to_owned();
            (text("category"), text("name"))
        };
        results.map(result).collect::<Vec<_>>()
    };
    assert!(found("").await.is_empty());
    let hello = found("hello").await;
    assert_eq!(hello[0], ("Project".to_owned(), "HELLO".to_owned()));
    let czech = found("czech").await;
    assert_eq!(czech, [("Language".to_owned(), "Czech".to_owned())]);
    let many = found("a").await;
    let languages = many.iter().filter(|(category, _)| category == "Language");
    assert_eq!(languages.count(), MOST_RESULTS);
}

#[tokio::test]
async fn the_languages_of_a_project_are_by_name() {
    let api = api();
    let languages = get(&api, "/current/api/projects/hello/languages/")
        .await
        .json();
    let names = languages.as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|language| language["name"].as_str().unwrap())
        .collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(
        names.contains(&"Czech") && names.contains(&"German"),
        "{names:?}"
    );
}

#[tokio::test]
async fn only_languages_with_a_translation_have_statistics() {
    let api = api();
    let status = async |code| {
        let path = format!("/current/api/languages/{code}/statistics/");
        get(&api, &path).await.status
    };
    assert_eq!((status("cs").await, status("ja").await), (200, 404));
}
