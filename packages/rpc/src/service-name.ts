/** The services, as calls, certificates and secrets name them. */
export type ServiceName =
  'gateway' | 'organizations' | 'invoices' | 'signer' | 'artefacts' | 'clearance'
