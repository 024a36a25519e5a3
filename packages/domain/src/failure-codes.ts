/** Becomes `dgiErrorCode` of a FAILED invoice: never reused or renamed. */
export type FailureCode =
  | 'AUTHORITY_UNREACHABLE'
  | 'AUTHORITY_BUSY'
  | 'CREDENTIALS_REFUSED'
  | 'NO_VERDICT_IN_TIME'
  | 'SUBMISSION_REFUSED'
  | 'DOCUMENT_UNREADABLE'
