export const approval = {
  PENDING: {
    title: 'Votre organisation attend son approbation',
    text: 'L’exploitant de ce service compare vos mentions légales à vos documents. Les propriétaires reçoivent ensuite un e-mail, et vous pouvez signer des factures. En attendant, tout le reste fonctionne : préparez des brouillons, créez des clés d’API, invitez des membres.',
  },
  SUSPENDED: {
    title: 'Votre organisation est suspendue',
    text: 'L’exploitant de ce service l’a suspendue : elle ne peut pas signer de facture. Lire et exporter restent possibles. Le motif figure dans l’e-mail aux propriétaires et dans le journal d’audit ; écrivez à l’exploitant pour un nouvel examen.',
  },
  incomplete: 'Complétez d’abord vos mentions légales : ce sont elles qui sont vérifiées.',
}
