/** Tokens by the shape that their vendors give them. */
const TOKENS = {
  AWS: String.raw`(?:AKIA|ASIA)[\dA-Z]{12,}\b`,
  GitHub: String.raw`gh[pousr]_\w{10,}|github_pat_\w{10,}`,
  GitLab: String.raw`gl(?:pat|cbt|dt|ptt|rt|soat)-[\w-]{10,}`,
  Slack: String.raw`x(?:ox[abeoprs]|app)-[\w-]{10,}`,
  Stripe: String.raw`[rs]k_(?:live|test)_\w{10,}|whsec_\w{16,}`,
  Google: String.raw`AIza[\w-]{30,}|GOCSPX-[\w-]{16,}|ya29\.[\w-]{20,}`,
  'npm, PyPI, Docker': String.raw`npm_\w{30,}|pypi-[\w-]{16,}|dckr_(?:pat|oat)_[\w-]{16,}`,
  'Vault, Terraform': String.raw`hv[bsr]\.[\w-]{10,}|\w{14}\.atlasv1\.[\w-]{30,}`,
  'OpenAI, Anthropic': String.raw`sk-(?:[a-z\d]+-){0,2}(?=\w*\d)\w{16,}[\w-]*`,
  'a word and an underscore': String.raw`(?:do[opr]_v1|figd|gl(?:c|sa)|gsk|hc[ax]ik|hf|lin_api|ntn|r8|shp[a-z]{2}|sntrys|sbp|pscale_(?:tkn|pw))_\w{16,}`,
  'a word and a hyphen': String.raw`(?:nvapi|pplx|pul|PMAK|NRAK|tskey|xai)-(?=[\w-]*\d)[\w-]{16,}`,
  'Databricks, Mailgun': String.raw`dapi[\da-f]{32}|key-[\da-f]{32}`,
  Plex: String.raw`claim-(?=\w*[A-Z])(?=\w*\d)\w{20}(?!\w)`,
  'Atlassian, SendGrid': String.raw`ATATT3[\w=-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}`,
  'Alibaba, Twilio, Square': String.raw`LTAI\w{12,}|SK[\da-f]{32}\b|sq0(?:atp|csp)-[\w-]{20,}`,
  'Discord, Facebook': String.raw`[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}|EAACEdEose0cBA\w+`,
  'CAS, PASETO, k3s': String.raw`(?:ST|PT|TGT)-\d+-\w{14,}|v[1-4]\.(?:local|public)\.[\w-]{20,}|K10[\da-f]{40,}::[\w:]+`,
  'a private key in base64': String.raw`LS0tLS1CRUdJTiB(?:SU0EgUFJJVkFURSB|QUklWQVRFIEtF|FQyBQUklWQVRF|PUEVOU1NIIFBSSVZB|FTkNSWVBURUQgUFJJ)[\w+/=-]*`,
  age: String.raw`AGE-SECRET-KEY-1\w+`,
};

export const VENDOR_TOKEN = new RegExp(
  String.raw`\b(?<secret>${Object.values(TOKENS).join('|')})`,
  'dg',
);
