// Lengths of an invoice's texts are in Unicode characters, others in UTF-16 code units unless
// noted.
export const limits = {
  // Specification, section 8.
  requestsPerMinute: 300,
  invoiceNumberLength: 64,
  lineDescriptionLength: 512,
  lineUnitLength: 32,
  pageSizeDefault: 20,
  retentionYears: 10,

  // Set by the design; the specification sets none.
  bodyBytes: 2 * 1024 * 1024,
  verifiedBytes: 16 * 1024 * 1024, // our largest original has 14 MiB
  lineCount: 2_000,
  pageSizeMax: 100,
  buyerNameLength: 256,
  buyerAddressLength: 512,
  purchaseOrderNumberLength: 64,
  quantityIntegerDigits: 12,
  quantityFractionDigits: 10,
  amountSignificantDigits: 15,
  invoiceDateMin: '2000-01-01',
  invoiceDateYearsAhead: 1, // after today
  dueDateYearsMax: 10, // after invoiceDate

  // Set by this project.
  connections: 8_192, // open at once; half of them of one client network
  bodyMemoryMib: 128, // what the bodies of all requests take at once; half of it one client's
  accountBodyBytes: 16 * 1024, // the bodies of the dashboard's own calls, after decoding
  vatExemptionReasonLength: 256,
  precedingInvoiceCount: 20,
  creditNotesOfInvoice: 200, // that are not rejected
  correctionReasonLength: 512,
  allowanceCount: 20, // and as many charges, of an invoice
  lineAllowanceCount: 10, // and as many charges, of a line
  lineAdjustmentCount: 4_000, // allowances and charges of all lines (decision 0153)
  allowanceReasonLength: 256,
  buyerCityLength: 128,
  noteLength: 1_024,
  buyerReferenceLength: 128,
  contractNumberLength: 64,
  deliveryNoteNumberLength: 64,
  deliveryAddressLength: 512,
  paymentTermsLength: 512,
  paymentReferenceLength: 140, // as in a SEPA transfer
  accountNameLength: 140,
  itemCodeLength: 64,
  orderLineNumberLength: 64,
  lineNoteLength: 512,
  lineNumberMax: 2_147_483_647, // a 32-bit integer on the wire
  pageMax: 10_000_000,
  searchLength: 100,
  auditFilterLength: 300,
  overviewDays: 90,
  changesListed: 1_000, // at once
  eventStreams: 20, // of one organization, at one gateway
  eventStreamsOfMember: 5, // of these, of one member
  unknownKeysPerMinute: 60, // from one network
  pageRequestsPerMinute: 30, // of documents' pages, from one network
  eventsWaiting: 10_000, // of one stream, for a reader that is slow
  auditEntriesOfInvoice: 500, // shown; a draft may be edited without end
  fieldErrorsReported: 1_000, // a body may hold more errors than an answer should
  mentionLength: 256,
  apiKeyNameLength: 100,
  apiKeyNetworks: 20, // that a key may be used from
  apiKeyLifetimeYears: 10, // where a key expires
  apiKeyOverlapHours: 720, // of a rotated key and its successor
  apiKeysPerOrganization: 1_000,
  membersPerOrganization: 200, // invitations counted
  membershipsPerUser: 100, // organizations of one person
  oneTimeTokenLength: 100,
  invitationLifetimeMs: 7 * 24 * 60 * 60_000,
  passwordResetsOfEmail: 5, // messages of a kind to one email, in `wrongPasswordsWindowMs`
  passwordResetsOfNetwork: 30, // requests from one address, in `wrongPasswordsWindowMs`
  emailChanges: 5, // requested by one user, or to one address, in `wrongPasswordsWindowMs`
  passwordResetLifetimeMs: 30 * 60_000,
  emailLinkLifetimeMs: 24 * 60 * 60_000, // to verify an address, or a change of it
  unverifiedLifetimeMs: 48 * 60 * 60_000, // of an account whose address is not verified
  sessionLifetimeMs: 12 * 60 * 60_000,
  confirmationLifetimeMs: 10 * 60_000, // a password typed in the session
  deviceLength: 256, // of a User-Agent, as it is stored
  noticesOfKind: 20, // messages of one kind to the same people, in `noticesWindowMs`
  noticesWindowMs: 60 * 60_000,
  noticeRecipients: 50, // owners, those who joined first
  secondFactorLifetimeMs: 5 * 60_000, // from the password until the second factor
  totpSetUpMs: 60 * 60_000, // from a new secret until its first code
  totpClockToleranceMs: 60_000, // that an authenticator's clock may be off
  recoveryCodes: 10,
  recoveryCodeSets: 10, // made for one user, in `wrongPasswordsWindowMs`
  passkeysPerUser: 20,
  passkeyNameLength: 100,
  passkeyAnswerLength: 8 * 1024, // of the browser, as JSON
  wrongCodes: 10, // and recovery codes, of one user from one address, in `wrongPasswordsWindowMs`
  wrongCodesOfDay: 100, // of one user from one address
  wrongCodesSpread: 50, // of one user a day, from networks they never signed in from
  sessionsPerUser: 50, // the one that began first ends when there is one more
  wrongGuesses: 50, // from one address, in `wrongPasswordsWindowMs`: invitation tokens, taken emails
  emailLength: 254, // RFC 5321, section 4.5.3.1
  passwordLengthMin: 10,
  passwordLengthMax: 256,
  signUpsPerMinute: 30, // from one address
  wrongPasswords: 10, // for one email from one address, in `wrongPasswordsWindowMs`
  wrongPasswordsSpread: 50, // for one email, from networks its user never signed in from
  wrongPasswordsOfNetwork: 200, // from one address for all emails: many people may share it
  passwordsChecked: 300, // for one email from one address, right ones too
  wrongPasswordsWindowMs: 15 * 60_000,
  requestIdLength: 128,
  headerBytes: 16 * 1024,
} as const

export const deadlinesMs = {
  httpRequest: 30_000, // a request as a whole, body included
  httpHeaders: 10_000,
  authorization: 1_000, // checked again when a body takes longer to arrive
  rpc: 10_000, // one call between services
  rpcInBackground: 60_000, // that may wait for archive and authorities; servers allow no longer one
  drain: 10_000, // from SIGTERM until open connections are cut
} as const
