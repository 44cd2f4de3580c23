//! A stand-in for AWS's services: it answers by service, region and action, and keeps what it was asked.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use gpudesk_providers::aws;
use gpudesk_providers::cloud::{Access, Cloud};
use gpudesk_providers::http::Secret;
use serde_json::Value;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers};

use crate::support::kit;

/// The parts of the key. They stand in no message, the second in no request either.
pub const ID: &str = "AKIAPRACTICE";
pub const SECRET: &str = "s3cr3t-of-the-account";

/// A call as it came in.
#[derive(Debug, Clone)]
pub struct Asked {
    pub region: String,
    pub action: String,
    pub fields: BTreeMap<String, String>,
    pub json: Value,
}

type Script = HashMap<(String, String), VecDeque<(u16, String)>>;

#[derive(Clone, Default)]
struct Answers {
    script: Arc<Mutex<Script>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Respond for Answers {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let header =
            |name: &str| request.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let authorization = header("authorization");
        let scope: Vec<&str> = authorization.split(['=', '/', ',']).collect();
        let prefix = format!("AWS4-HMAC-SHA256 Credential={ID}/20261130/");
        assert!(authorization.starts_with(&prefix), "{authorization}");
        let region = scope[3].to_owned();
        let body = String::from_utf8(request.body.clone()).unwrap();
        assert!(!format!("{:?}{body}", request.headers).contains(SECRET), "the secret only signs");
        let target = header("x-amz-target");
        let (action, fields, json) = match target.rsplit_once('.') {
            Some((_, action)) => (action.to_owned(), BTreeMap::new(), serde_json::from_str(&body).unwrap()),
            None => {
                let fields: BTreeMap<String, String> =
                    url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
                (fields["Action"].clone(), fields, Value::Null)
            }
        };
        self.asked.lock().unwrap().push(Asked {
            region: region.clone(),
            action: action.clone(),
            fields,
            json,
        });
        let mut script = self.script.lock().unwrap();
        let key = [(region.clone(), action.clone()), (String::new(), action.clone())];
        let Some(answers) =
            key.iter().find(|key| script.contains_key(key)).and_then(|key| script.get_mut(key))
        else {
            return ResponseTemplate::new(400)
                .set_body_string(error("NotScripted", &format!("{action} in {region}")));
        };
        let (status, body) =
            if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() };
        ResponseTemplate::new(status).set_body_string(body)
    }
}

pub struct Stage {
    server: MockServer,
    answers: Answers,
}

impl Stage {
    pub async fn start() -> Self {
        let server = MockServer::start().await;
        let answers = Answers::default();
        Mock::given(matchers::method("POST")).respond_with(answers.clone()).mount(&server).await;
        let stage = Self { server, answers };
        let regions = ["eu-central-1", "us-east-1"].map(|name| {
            format!(
                "<item><regionName>{name}</regionName><optInStatus>opt-in-not-required</optInStatus></item>"
            )
        });
        let off = "<item><regionName>af-south-1</regionName><optInStatus>not-opted-in</optInStatus></item>";
        stage.say(
            "DescribeRegions",
            &set("DescribeRegions", "regionInfo", &format!("{}{off}", regions.concat())),
        );
        stage
    }

    pub fn address(&self) -> String {
        self.server.uri()
    }

    pub fn key() -> Secret {
        Secret::new(format!(r#"{{"access_key_id":"{ID}","secret_access_key":"{SECRET}"}}"#))
    }

    pub fn cloud(&self) -> Box<dyn Cloud> {
        let (http, _) = kit();
        let addresses = [("aws".to_owned(), self.address())].into();
        aws::open(Access { http, key: Self::key(), addresses }).unwrap()
    }

    /// The next answer of an action in every region; the last one holds.
    pub fn say(&self, action: &str, body: &str) {
        self.say_in("", action, 200, body);
    }

    pub fn say_in(&self, region: &str, action: &str, status: u16, body: &str) {
        let key = (region.to_owned(), action.to_owned());
        self.answers.script.lock().unwrap().entry(key).or_default().push_back((status, body.to_owned()));
    }

    /// Forgets what an action was to answer.
    pub fn forget(&self, action: &str) {
        self.answers.script.lock().unwrap().retain(|(_, known), _| known != action);
    }

    pub fn asked(&self, action: &str) -> Vec<Asked> {
        self.answers.asked.lock().unwrap().iter().filter(|asked| asked.action == action).cloned().collect()
    }

    pub fn actions(&self) -> Vec<String> {
        self.answers.asked.lock().unwrap().iter().map(|asked| asked.action.clone()).collect()
    }
}

/// An answer with a set of rows.
pub fn set(action: &str, name: &str, rows: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><{action}Response xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>r</requestId><{name}>{rows}</{name}></{action}Response>"
    )
}

/// The same with a token for the next page.
pub fn page(action: &str, name: &str, rows: &str, token: &str) -> String {
    set(action, name, rows).replace(
        &format!("</{action}Response>"),
        &format!("<nextToken>{token}</nextToken></{action}Response>"),
    )
}

pub fn error(code: &str, message: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors><RequestID>r</RequestID></Response>"
    )
}

/// A type with cards: name, block of the cards, usage classes.
pub fn kind(name: &str, cards: &str, usage: &[&str], more: &str) -> String {
    let usage: String = usage.iter().map(|word| format!("<item>{word}</item>")).collect();
    format!(
        "<item><instanceType>{name}</instanceType><vCpuInfo><defaultVCpus>4</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>16384</sizeInMiB></memoryInfo>\
         <supportedUsageClasses>{usage}</supportedUsageClasses><processorInfo><supportedArchitectures><item>x86_64</item></supportedArchitectures></processorInfo>{cards}{more}</item>"
    )
}

/// The cards of a type as EC2 tells of them.
pub fn gpus(name: &str, count: u32, logical: u32, part: &str, mib: u32) -> String {
    format!(
        "<gpuInfo><gpus><item><name>{name}</name><manufacturer>NVIDIA</manufacturer><count>{count}</count><logicalGpuCount>{logical}</logicalGpuCount>\
         <gpuPartitionSize>{part}</gpuPartitionSize><memoryInfo><sizeInMiB>{mib}</sizeInMiB></memoryInfo></item></gpus></gpuInfo>"
    )
}

/// A running instance.
pub fn instance(id: &str, kind: &str, zone: &str, more: &str) -> String {
    format!(
        "<item><instancesSet><item><instanceId>{id}</instanceId><instanceState><code>16</code><name>running</name></instanceState><instanceType>{kind}</instanceType>\
         <placement><availabilityZone>{zone}</availabilityZone></placement><ipAddress>198.51.100.7</ipAddress>{more}</item></instancesSet></item>"
    )
}

/// Our mark on something.
pub fn marked(token: &str) -> String {
    format!("<tagSet><item><key>gpudesk</key><value>{token}</value></item></tagSet>")
}

/// An account without machines, until something else is said.
pub fn none_marked(stage: &Stage) {
    stage.say("DescribeInstances", &set("DescribeInstances", "reservationSet", ""));
}
