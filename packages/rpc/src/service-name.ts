export type ServiceName =
  | 'gateway'
  | 'organizations'
  | 'invoices'
  | 'signer'
  | 'artefacts'
  | 'clearance'
