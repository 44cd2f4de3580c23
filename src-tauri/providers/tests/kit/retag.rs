//! Tags set anew after the launch: exactly what goes out, and that nothing is written back that was not read.

use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect};
use serde_json::{Value, json};

use crate::aws_stage;
use crate::rent_support::{ok, stage};
use crate::support::Say;

const ID: &str = "cb676a46-66fd-4dfb-b839-443f2e6c0b60";

fn until() -> [(String, String); 1] {
    [("until".to_owned(), "2026-11-30T20:00:00Z".to_owned())]
}

#[tokio::test]
async fn shadeform_is_sent_the_whole_list_and_nothing_else() {
    let told = json!({"id": ID, "status": "active", "auto_delete": {"date_threshold": "2026-12-01T00:00:00Z"},
        "tags": ["gpudesk-01jdx3", "gpudesk-until=2026-11-30T12:00:00Z", "gpudesk-owner=anna", "team"]});
    let at = stage("shadeform", vec![ok(&told), Say::http("200 OK", &[], "")]).await;
    at.cloud.retag(ID, &until()).await.unwrap();
    let path = |what: &str| format!("/v1/instances/{ID}/{what}");
    assert_eq!(at.lines(), [format!("GET {}", path("info")), format!("POST {}", path("update"))]);
    let tags = ["gpudesk-01jdx3", "gpudesk-owner=anna", "team", "gpudesk-until=2026-11-30T20:00:00Z"];
    assert_eq!(at.body(1), json!({ "tags": tags }), "no timer: a field that is left out stays");
    at.assert_key_sent_as("x-api-key: ");
}

#[tokio::test]
async fn vultr_is_sent_the_whole_list_for_both_kinds_of_machines() {
    let instance =
        json!({"id": ID, "tags": ["gpudesk", "gpudesk-01jdx3", "gpudesk_until_2026-11-30T12-00-00Z"]});
    let tags = json!({"tags": ["gpudesk", "gpudesk-01jdx3", "gpudesk_until_2026-11-30T20-00-00Z"]});
    let done = |name: &str| Say::http("202 Accepted", &[], json!({ name: instance }).to_string());
    let at = stage("vultr", vec![ok(&json!({ "instance": instance })), done("instance")]).await;
    at.cloud.retag(ID, &until()).await.unwrap();
    assert_eq!(at.lines(), [format!("GET /v2/instances/{ID}"), format!("PATCH /v2/instances/{ID}")]);
    assert_eq!(at.body(1), tags);
    let missing = || Say::http("404 Not Found", &[], json!({"error": "Invalid", "status": 404}).to_string());
    let metal = vec![missing(), ok(&json!({ "bare_metal": instance })), done("bare_metal")];
    let at = stage("vultr", metal).await;
    at.cloud.retag(ID, &until()).await.unwrap();
    assert_eq!(at.lines()[1..], [format!("GET /v2/bare-metals/{ID}"), format!("PATCH /v2/bare-metals/{ID}")]);
    assert_eq!(at.body(2), tags);
    let at = stage("vultr", vec![missing(), missing()]).await;
    assert_eq!(at.cloud.retag(ID, &until()).await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
}

/// What is not told, or is told in another form, is not written back: tags of somebody else would be gone.
#[tokio::test]
async fn a_list_that_was_not_read_is_not_replaced() {
    for tags in [Value::Null, json!("gpudesk"), json!([{"key": "gpudesk"}])] {
        let at = stage("shadeform", vec![ok(&json!({"id": ID, "status": "active", "tags": tags}))]).await;
        let error = at.cloud.retag(ID, &until()).await.unwrap_err();
        assert_eq!(error.code, CloudErrorCode::Http(SourceErrorCode::BadAnswer), "{tags}");
        assert_eq!(at.lines().len(), 1, "{tags}");
        let at = stage("vultr", vec![ok(&json!({"instance": {"id": ID, "tags": tags}}))]).await;
        at.cloud.retag(ID, &until()).await.unwrap_err();
        assert_eq!(at.lines().len(), 1, "{tags}");
    }
}

#[tokio::test]
async fn aws_overwrites_one_tag_where_the_machine_is() {
    let stage = aws_stage::Stage::start().await;
    let id = "i-0aaaaaaaaaaaaaaa1";
    let row = aws_stage::instance(id, "g6.xlarge", "eu-central-1a", &aws_stage::marked("gpudesk-01jdx3"));
    let none = aws_stage::error("InvalidInstanceID.NotFound", "none");
    stage.say_in("us-east-1", "DescribeInstances", 400, &none);
    let found = aws_stage::set("DescribeInstances", "reservationSet", &row);
    stage.say_in("eu-central-1", "DescribeInstances", 200, &found);
    stage.say("CreateTags", "<CreateTagsResponse><return>true</return></CreateTagsResponse>");
    let cloud = stage.cloud();
    cloud.retag(id, &until()).await.unwrap();
    let asked = stage.asked("CreateTags");
    assert_eq!((asked.len(), asked[0].region.as_str()), (1, "eu-central-1"));
    let field = |name: &str| asked[0].fields[name].as_str();
    assert_eq!(
        (field("ResourceId.1"), field("Tag.1.Key"), field("Tag.1.Value")),
        (id, "gpudesk:until", "2026-11-30T20:00:00Z")
    );
    let error = cloud.retag("../x", &until()).await.unwrap_err();
    assert_eq!(error.code, CloudErrorCode::NoSuchMachine);
}

#[tokio::test]
async fn a_cloud_that_cannot_says_so_and_asks_nothing() {
    let at = stage("lambda", vec![]).await;
    let error = at.cloud.retag("0920582c7ff041399e34823a0be62549", &until()).await.unwrap_err();
    assert_eq!((error.code, error.effect), (CloudErrorCode::Unsupported, Effect::Nothing));
    assert!(at.lines().is_empty());
}
