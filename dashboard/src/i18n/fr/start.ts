/** Démarrage : du compte à la première facture acceptée. */

export const start = {
  title: 'Démarrage',
  lead: 'Quatre étapes jusqu’à votre première facture, cinq minutes en tout.',
  steps: 'Étapes',
  done: 'Fait',
  now: 'À faire',
  later: 'Ensuite',
  account: {
    title: 'Créer le compte',
    done: (email: string) => `Vous êtes connecté comme ${email}.`,
  },
  mentions: {
    title: 'Vos mentions légales',
    told: 'Elles figurent sur chaque facture. Vous pouvez enregistrer en plusieurs fois.',
    done: (name: string) => `${name} peut facturer.`,
    change: 'Modifier',
    ownerOnly: 'Un propriétaire de l’organisation doit compléter les mentions légales.',
  },
  key: {
    title: 'Votre première clé d’API',
    told: 'Votre logiciel s’en sert pour parler au service, à votre place. Nommez-la d’après lui.',
    name: 'Nom de la clé',
    nameExample: 'ERP, caisse, essais…',
    firstName: 'Premiers essais',
    create: 'Créer la clé',
    once: 'Copiez-la maintenant : elle n’est montrée que cette fois.',
    label: 'Votre clé d’API',
    copy: 'Copier la clé',
    done: 'Une clé est prête.',
    ownerOnly: 'Un propriétaire de l’organisation doit créer une clé.',
  },
  invoice: {
    title: 'Votre première facture',
    told: 'Collez ceci dans un terminal : une facture de 5 400 MAD TTC, signée dès la réponse.',
    label: 'Commande curl',
    copy: 'Copier la commande',
    keyGone:
      'La clé n’est plus affichée : mettez la vôtre à la place de VOTRE_CLE, ou créez-en une nouvelle.',
    sandbox:
      'Ici l’administration fiscale est simulée. L’ICE de l’acheteur décide de sa réponse : celui-ci est accepté ; avec 000000000000101 la facture serait rejetée, pour voir.',
    sandboxMore: 'Tous les ICE d’essai',
    waiting: 'En attente de votre première facture…',
    waitingTold: 'Elle apparaîtra ici d’elle-même.',
    arrived: (number: string) => `La facture ${number} est arrivée`,
    accepted: 'Acceptée par l’administration fiscale. C’est tout : vous facturez.',
    see: 'Voir la facture',
    next: 'Et maintenant ?',
    nextGuide: 'Le guide : TypeScript, Python, PHP, Java',
    nextTry: 'Essayer chaque appel dans la documentation',
    nextMembers: 'Inviter vos collègues',
  },
}
