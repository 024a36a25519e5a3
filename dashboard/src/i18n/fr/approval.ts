export const approval = {
  PENDING: {
    title: 'Votre organisation est en attente d’approbation',
    text: 'L’exploitant de ce service vérifie vos mentions légales à l’aide de vos justificatifs. Dès l’approbation, les propriétaires reçoivent un e-mail et vous pouvez signer vos factures. En attendant, tout le reste fonctionne : préparez des brouillons, créez des clés d’API, invitez des membres.',
  },
  SUSPENDED: {
    title: 'Votre organisation est suspendue',
    text: 'L’exploitant de ce service l’a suspendue : elle ne peut pas signer de facture. La consultation et l’export restent possibles. Le motif figure dans l’e-mail envoyé aux propriétaires et dans le journal d’audit ; pour demander un réexamen, contactez l’exploitant.',
  },
  incomplete: 'Complétez d’abord vos mentions légales : l’exploitant les vérifie.',
}
