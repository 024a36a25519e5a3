export const approval = {
  PENDING: {
    title: 'Your organization is waiting for approval',
    text: 'The operator of this service compares your legal details with your documents. Once it is approved, the owners receive an email and you can sign invoices. Until then everything else works: prepare drafts, create API keys, invite members.',
  },
  SUSPENDED: {
    title: 'Your organization is suspended',
    text: 'The operator of this service suspended it: it cannot sign invoices, but you can still read and export everything. The reason is in the email to the owners and in the audit log. To have it reviewed, contact the operator.',
  },
  incomplete: 'Complete your legal details first: the operator checks them.',
}
