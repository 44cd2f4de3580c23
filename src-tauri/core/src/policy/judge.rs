//! What a policy says of an offer or a machine, and why.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::adequacy::adequate;
use super::certificate::held;
use super::{Area, Certificate, Evidence, OnBreach, Policy};
use crate::offer::{Isolation, Offer, Place};
use crate::place::{canonical_provider, hides_operator, provider_title, seller};
use crate::words::words;

words! {
    /// What a policy says.
    Verdict {
        /// Everything it asks for is proved.
        Allowed = "allowed",
        /// Something is proved weakly, or broken where the policy only warns.
        Warned = "warned",
        /// Something it asks for is not so, or cannot be proved.
        Blocked = "blocked",
    }
}

/// What a policy looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    /// Whose account is billed.
    pub provider: &'a str,
    /// Whose iron it is.
    pub cloud: &'a str,
    /// Where it stands, ISO 3166-1 alpha-2; `None` = not proved.
    pub country: Option<&'a str>,
    /// The provider's own name of the place.
    pub region: Option<&'a str>,
    /// Country of the company that bills; `None` = not known.
    pub seller: Option<&'a str>,
    /// How far other tenants are away.
    pub isolation: Isolation,
}

impl<'a> Subject<'a> {
    /// An offer as it is offered.
    #[must_use]
    pub fn of(offer: &'a Offer) -> Self {
        Self {
            provider: &offer.provider,
            cloud: &offer.cloud,
            country: offer.place.country.as_deref(),
            region: offer.place.region.as_deref(),
            seller: offer.place.seller.as_deref(),
            isolation: offer.isolation,
        }
    }

    /// Whether the iron is somebody else's than the company's that bills.
    fn is_resold(&self) -> bool {
        canonical_provider(self.cloud) != canonical_provider(self.provider)
    }

    /// Every company whose law the data comes under, with its country: who bills, and who runs the iron.
    fn companies(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let resold = self.is_resold();
        // An adapter leaves the seller open where the operator is not established; who bills is known all the same.
        let bills = self.seller.or_else(|| seller(self.provider).filter(|_| resold));
        std::iter::once((self.provider, bills)).chain(resold.then(|| (self.cloud, seller(self.cloud))))
    }
}

/// One thing a policy asks for that is not proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// The aggregator does not tell who runs the iron: nothing is provable.
    OperatorHidden {
        /// The name it stands under.
        cloud: String,
    },
    /// It stands outside the areas.
    PlaceElsewhere {
        /// Where.
        country: String,
        /// Where it may.
        wanted: Vec<Area>,
    },
    /// Where it stands is not proved.
    PlaceUnknown {
        /// The provider's own name of the place.
        region: Option<String>,
    },
    /// A company is outside the areas.
    SellerElsewhere {
        /// Which company: our name of the provider or cloud.
        company: String,
        /// Where.
        country: String,
        /// Where it may be.
        wanted: Vec<Area>,
    },
    /// Whose law a company is under is not known.
    SellerUnknown {
        /// Which company.
        company: String,
    },
    /// The country is adequate for companies that hold something, and nothing shows that this one does.
    SellerNotCovered {
        /// Which company.
        company: String,
        /// Its country.
        country: String,
        /// What it would have to hold.
        certificate: Certificate,
    },
    /// Nothing shows that the cloud holds a certificate in this place.
    NotCertified {
        /// Which cloud.
        company: String,
        /// What is asked for.
        certificate: Certificate,
    },
    /// A certificate is recalled and its source was not read: it should be looked at. Breaks nothing.
    CertificateRecalled {
        /// Which company.
        company: String,
        /// What it is said to hold.
        certificate: Certificate,
        /// Where that should stand.
        source: String,
        /// The month of that knowledge.
        dated: String,
    },
    /// Other tenants are nearer than they may be.
    IsolationOther {
        /// How far they are away.
        isolation: Isolation,
        /// How far they must be.
        wanted: Vec<Isolation>,
    },
    /// How far other tenants are away is not said.
    IsolationUnknown,
    /// After a launch: the provider does not tell where the machine stands. Breaks nothing that the offer has proved.
    NotReadBack,
}

impl Reason {
    /// The fixed word of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OperatorHidden { .. } => "operator-hidden",
            Self::PlaceElsewhere { .. } => "place-elsewhere",
            Self::PlaceUnknown { .. } => "place-unknown",
            Self::SellerElsewhere { .. } => "seller-elsewhere",
            Self::SellerUnknown { .. } => "seller-unknown",
            Self::SellerNotCovered { .. } => "seller-not-covered",
            Self::NotCertified { .. } => "not-certified",
            Self::CertificateRecalled { .. } => "certificate-recalled",
            Self::IsolationOther { .. } => "isolation-other",
            Self::IsolationUnknown => "isolation-unknown",
            Self::NotReadBack => "not-read-back",
        }
    }

    /// Whether the policy is broken by it.
    #[must_use]
    pub fn is_breach(&self) -> bool {
        !matches!(self, Self::CertificateRecalled { .. } | Self::NotReadBack)
    }
}

/// Shown name of a company.
fn title(company: &str) -> &str {
    provider_title(company).unwrap_or(company)
}

fn listed<T: fmt::Display>(list: &[T]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OperatorHidden { cloud } => {
                write!(f, "who runs it is hidden behind `{cloud}`: neither place nor company can be proved")
            }
            Self::PlaceElsewhere { country, wanted } => {
                write!(f, "it stands in {country} and may stand in {} only", listed(wanted))
            }
            Self::PlaceUnknown { region: Some(region) } => {
                write!(f, "where `{region}` stands cannot be proved")
            }
            Self::PlaceUnknown { region: None } => f.write_str("where it stands is not told"),
            Self::SellerElsewhere { company, country, wanted } => {
                write!(
                    f,
                    "{} is a company of {country} and may be of {} only",
                    title(company),
                    listed(wanted)
                )
            }
            Self::SellerUnknown { company } => {
                write!(f, "whose law {} is under is not known", title(company))
            }
            Self::SellerNotCovered { company, country, certificate } => write!(
                f,
                "{} is a company of {country}, which is adequate only for companies with {certificate}, and nothing \
                 here shows that it is one",
                title(company)
            ),
            Self::NotCertified { company, certificate } => {
                write!(f, "nothing here shows that {} holds {certificate} in this place", title(company))
            }
            Self::CertificateRecalled { company, certificate, source, dated } => write!(
                f,
                "that {} holds {certificate} is recalled as of {dated} and was not read again: look at {source}",
                title(company)
            ),
            Self::IsolationOther { isolation, wanted } => {
                write!(f, "its isolation is {isolation} and may be {} only", listed(wanted))
            }
            Self::IsolationUnknown => f.write_str("how far other tenants are away is not told"),
            Self::NotReadBack => {
                f.write_str("the provider does not tell where the machine stands: only its offer says so")
            }
        }
    }
}

/// What a policy says of one offer or machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// The policy's name.
    pub policy: String,
    /// What people call it.
    pub title: String,
    /// What it says.
    pub verdict: Verdict,
    /// Why; empty where everything is proved.
    pub reasons: Vec<Reason>,
}

impl Judgement {
    /// What breaks the policy.
    pub fn breaches(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().filter(|reason| reason.is_breach())
    }
}

/// Whether an area covers a company.
enum Cover {
    Yes,
    /// By something that is recalled.
    Recalled(Reason),
    /// Only if it held this.
    With(Certificate),
    No,
}

impl Policy {
    /// What it says of an offer or a machine.
    #[must_use]
    pub fn judge(&self, subject: &Subject<'_>) -> Judgement {
        let mut reasons = self.of_companies(subject);
        if !matches!(reasons.as_slice(), [Reason::OperatorHidden { .. }]) {
            reasons.splice(0..0, self.of_place(subject.country, subject.region));
        }
        reasons.extend(self.of_isolation(subject.isolation));
        self.judgement(reasons)
    }

    /// What it says of a machine that was made from an offer, by the place its provider tells now. A place it does not
    /// tell leaves what the offer has proved, and is said; another region that proves no country proves nothing.
    #[must_use]
    pub fn judge_found(&self, offer: &Offer, found: Option<&Place>) -> Judgement {
        let mut subject = Subject::of(offer);
        let told = found.filter(|found| found.country.is_some() || found.region.is_some());
        let mut is_told = false;
        if let Some(found) = told {
            let other_region = matches!((&offer.place.region, &found.region), (Some(offered), Some(found))
                if !offered.eq_ignore_ascii_case(found));
            is_told = found.country.is_some() || other_region;
            if is_told {
                subject.country = found.country.as_deref();
                subject.region = found.region.as_deref().or(subject.region);
            }
        }
        let mut judgement = self.judge(&subject);
        if !is_told && !self.place.is_empty() {
            judgement.reasons.push(Reason::NotReadBack);
            judgement = self.judgement(judgement.reasons);
        }
        judgement
    }

    fn judgement(&self, reasons: Vec<Reason>) -> Judgement {
        let verdict = match self.on_breach {
            _ if reasons.is_empty() => Verdict::Allowed,
            OnBreach::Block if reasons.iter().any(Reason::is_breach) => Verdict::Blocked,
            _ => Verdict::Warned,
        };
        Judgement { policy: self.name.clone(), title: self.title.clone(), verdict, reasons }
    }

    /// What it says of a place. Adequacy that hangs on the company is none of a place.
    pub(crate) fn of_place(&self, country: Option<&str>, region: Option<&str>) -> Option<Reason> {
        if self.place.is_empty() {
            return None;
        }
        let Some(country) = country else {
            return Some(Reason::PlaceUnknown { region: region.map(str::to_owned) });
        };
        let adequate = || adequate(country).is_some_and(|one| one.needs.is_none());
        let is_inside = self.place.iter().any(|area| match area {
            Area::Adequacy => adequate(),
            zone => zone.is_zone_of(country),
        });
        (!is_inside)
            .then(|| Reason::PlaceElsewhere { country: country.to_owned(), wanted: self.place.clone() })
    }

    /// What it says of the companies that sell and run it, and of what they hold. Looks at neither country nor isolation.
    pub(crate) fn of_companies(&self, subject: &Subject<'_>) -> Vec<Reason> {
        let asks = !self.place.is_empty() || !self.seller.is_empty() || !self.certificates.is_empty();
        if asks && hides_operator(subject.cloud) {
            return vec![Reason::OperatorHidden { cloud: subject.cloud.to_owned() }];
        }
        let mut reasons = Vec::new();
        if !self.seller.is_empty() {
            reasons.extend(subject.companies().filter_map(|(company, at)| self.of_company(company, at)));
        }
        for certificate in &self.certificates {
            let company = subject.cloud.to_owned();
            reasons.extend(match held(subject.cloud, *certificate, subject.region) {
                None => Some(Reason::NotCertified { company, certificate: *certificate }),
                Some(found) => recalled(&company, found),
            });
        }
        reasons.dedup();
        reasons
    }

    fn of_company(&self, company: &str, at: Option<&str>) -> Option<Reason> {
        let company = company.to_owned();
        let Some(at) = at else { return Some(Reason::SellerUnknown { company }) };
        let country = at.to_owned();
        match self.covers(&company, at) {
            Cover::Yes => None,
            Cover::Recalled(reason) => Some(reason),
            Cover::With(certificate) => Some(Reason::SellerNotCovered { company, country, certificate }),
            Cover::No => Some(Reason::SellerElsewhere { company, country, wanted: self.seller.clone() }),
        }
    }

    fn covers(&self, company: &str, at: &str) -> Cover {
        if self.seller.iter().any(|area| area.is_zone_of(at)) {
            return Cover::Yes;
        }
        let by_adequacy = self.seller.contains(&Area::Adequacy).then(|| adequate(at)).flatten();
        match by_adequacy.map(|one| one.needs) {
            None => Cover::No,
            Some(None) => Cover::Yes,
            Some(Some(certificate)) => match held(company, certificate, None) {
                None => Cover::With(certificate),
                Some(found) => recalled(company, found).map_or(Cover::Yes, Cover::Recalled),
            },
        }
    }

    /// What it says of how far other tenants are away.
    pub(crate) fn of_isolation(&self, isolation: Isolation) -> Option<Reason> {
        match isolation {
            _ if self.isolation.is_empty() || self.isolation.contains(&isolation) => None,
            Isolation::Unknown => Some(Reason::IsolationUnknown),
            isolation => Some(Reason::IsolationOther { isolation, wanted: self.isolation.clone() }),
        }
    }
}

/// The remark on a certificate whose source was not read.
fn recalled(company: &str, found: &super::Held) -> Option<Reason> {
    (found.evidence == Evidence::Recalled).then(|| Reason::CertificateRecalled {
        company: company.to_owned(),
        certificate: found.certificate,
        source: found.source.to_owned(),
        dated: found.dated.to_owned(),
    })
}
