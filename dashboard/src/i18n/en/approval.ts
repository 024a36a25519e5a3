export const approval = {
  PENDING: {
    title: 'Your organization waits for its approval',
    text: 'The operator of this service compares your legal details with your documents. Its owners then get a mail, and you can sign invoices. Meanwhile everything else works: prepare drafts, make API keys, invite members.',
  },
  SUSPENDED: {
    title: 'Your organization is suspended',
    text: 'The operator of this service suspended it: it cannot sign invoices. Reading and exporting still work. The reason is in the mail to its owners and in the audit log; answer the operator to have it reviewed.',
  },
  incomplete: 'Complete your legal details first: they are what is checked.',
}
