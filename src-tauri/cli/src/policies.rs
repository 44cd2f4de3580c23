//! `gpudesk policies`: what may stand where, which projects that holds for, and what it says of an offer.

use clap::{Args, Subcommand};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::market::OfferDetailsRequest;
use gpudesk_api::policy::{Policies, PolicyRequest, PolicySetRequest, ProjectPolicyRequest};
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::table::policies as table;

/// What to do with policies.
#[derive(Debug, Subcommand)]
pub enum PoliciesAction {
    /// Make a policy of your own, or change one.
    Set(SetArgs),
    /// Forget a policy of your own.
    Remove {
        /// Its name.
        #[arg(value_name = "POLICY")]
        name: String,
    },
    /// Put a project under a policy: launches for it are held to it.
    Use {
        /// Its name.
        #[arg(value_name = "POLICY")]
        name: String,
        /// The project; an empty one stands for launches that name none.
        #[arg(long, value_name = "NAME")]
        project: String,
    },
    /// Put a project under no policy.
    Unuse {
        /// The project; an empty one stands for launches that name none.
        #[arg(long, value_name = "NAME")]
        project: String,
    },
    /// What policies say of an offer. Ends with 5 where one forbids it.
    Check {
        /// The offer's id, as `gpudesk offers` shows it.
        #[arg(value_name = "OFFER")]
        offer: String,
        /// Only this one.
        #[arg(long, value_name = "POLICY")]
        policy: Option<String>,
    },
}

/// `gpudesk policies set`.
#[derive(Debug, Args)]
pub struct SetArgs {
    /// Small letters, digits and `-`: the word of the query line, `policy:NAME`.
    #[arg(value_name = "POLICY")]
    pub name: String,
    /// What people call it; its name unless told.
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Where machines may stand: `EEA`, `EU`, `UK`, countries, `adequacy`.
    #[arg(long, value_name = "AREA", value_delimiter = ',')]
    pub place: Vec<String>,
    /// Where the companies may be that sell them and that run them.
    #[arg(long, value_name = "AREA", value_delimiter = ',')]
    pub seller: Vec<String>,
    /// What the cloud must hold, all of it: `iso-27001 soc-2 152-fz …`.
    #[arg(long, value_name = "CERTIFICATE", value_delimiter = ',')]
    pub certificates: Vec<String>,
    /// How far other tenants must be away: `dedicated-host vm shared-host`.
    #[arg(long, value_name = "ISOLATION", value_delimiter = ',')]
    pub isolation: Vec<String>,
    /// Only warn of launches that break it.
    #[arg(long)]
    pub warn: bool,
}

/// Lists, changes, checks.
pub async fn run(desk: &Desk, action: Option<&PoliciesAction>, json: bool) -> Result<u8, ApiError> {
    let list = match action {
        None => handlers::policies_list(desk, ()).await?,
        Some(PoliciesAction::Set(args)) => {
            let request = PolicySetRequest {
                name: args.name.clone(),
                title: args.title.clone().unwrap_or_else(|| args.name.clone()),
                place: args.place.clone(),
                seller: args.seller.clone(),
                certificates: args.certificates.clone(),
                isolation: args.isolation.clone(),
                on_breach: if args.warn { "warn" } else { "block" }.to_owned(),
            };
            handlers::policy_set(desk, request).await?
        }
        Some(PoliciesAction::Remove { name }) => {
            handlers::policy_remove(desk, PolicyRequest { name: name.clone() }).await?
        }
        Some(PoliciesAction::Use { name, project }) => put(desk, project, Some(name)).await?,
        Some(PoliciesAction::Unuse { project }) => put(desk, project, None).await?,
        Some(PoliciesAction::Check { offer, policy }) => {
            return check(desk, offer, policy.as_deref(), json).await;
        }
    };
    if json {
        print_json(&list)?
    } else {
        print_text(&table::list(&list))?
    }
    Ok(0)
}

async fn put(desk: &Desk, project: &str, policy: Option<&String>) -> Result<Policies, ApiError> {
    let request = ProjectPolicyRequest { project: project.to_owned(), policy: policy.cloned() };
    handlers::project_policy_set(desk, request).await
}

async fn check(desk: &Desk, offer: &str, policy: Option<&str>, json: bool) -> Result<u8, ApiError> {
    let request = OfferDetailsRequest { id: offer.to_owned(), job: None, currency: "USD".to_owned() };
    let mut verdicts = handlers::offer_details(desk, request).await?.policies;
    if let Some(policy) = policy {
        let name = desk.policy(policy).await?.name;
        verdicts.retain(|verdict| verdict.policy == name);
    }
    if json {
        print_json(&verdicts)?
    } else {
        print_text(&table::verdicts(&verdicts))?
    }
    Ok(if verdicts.iter().any(|verdict| verdict.verdict == "blocked") { 5 } else { 0 })
}
