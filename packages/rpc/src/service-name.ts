/** The names in calls, certificates and secrets. */
export type ServiceName =
  'gateway' | 'organizations' | 'invoices' | 'signer' | 'artefacts' | 'clearance'
