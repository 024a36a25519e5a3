import type { Texts } from './texts-shape'

export const french: Texts = {
  direction: 'ltr',
  name: 'Français',
  page: 'Vérification d’un document',
  languages: 'Langue',
  kinds: {
    INVOICE: 'Facture',
    CREDIT_NOTE: 'Avoir',
    PREPAYMENT_INVOICE: 'Facture d’acompte',
  },
  test: 'Environnement de test : ce document est sans valeur légale. C’est le simulateur de la plateforme fiscale qui a répondu, pas la DGI.',
  decisions: {
    accepted: {
      title: 'Vous pouvez comptabiliser ce document',
      detail: 'La plateforme fiscale (DGI) l’a accepté.',
    },
    waiting: {
      title: 'Pas encore : la décision est attendue',
      detail:
        'Le document est signé ; la plateforme fiscale (DGI) n’a pas encore répondu. Rechargez cette page plus tard.',
    },
    rejected: {
      title: 'Ne comptabilisez pas ce document',
      detail:
        'La plateforme fiscale (DGI) l’a rejeté. Demandez au vendeur un document corrigé, sous un autre numéro.',
    },
    failed: {
      title: 'Ne comptabilisez pas encore ce document',
      detail:
        'La plateforme fiscale (DGI) n’a pas rendu de décision à temps. Le vendeur doit le renvoyer : contactez-le.',
    },
    notSent: {
      title: 'Ne comptabilisez pas ce document',
      detail:
        'La plateforme fiscale (DGI) a rejeté la facture que cet avoir corrige ; il n’a donc pas été envoyé.',
    },
  },
  credited: {
    whole: {
      title: 'Entièrement annulé par avoir',
      detail:
        'La plateforme fiscale (DGI) l’a accepté, puis des avoirs l’ont annulé en entier : comptabilisez-le avec eux.',
    },
    part: {
      title: 'Vous pouvez comptabiliser ce document, avec ses avoirs',
      detail: 'La plateforme fiscale (DGI) l’a accepté ; des avoirs le corrigent, voir ci-dessous.',
    },
  },
  reference: 'Référence',
  decidedAt: 'Décision du',
  sentAt: 'Transmis le',
  reason: 'Motif',
  credits: {
    heading: 'Avoirs émis depuis',
    none: 'Aucun avoir n’a été émis sur ce document.',
    isCredit: 'Ce document est lui-même un avoir.',
    number: 'Avoir',
    status: 'État',
    amount: 'Montant TTC',
    total: 'Total des avoirs',
    remains: 'Reste après avoirs',
    statuses: {
      accepted: 'Accepté',
      waiting: 'Décision attendue',
      failed: 'Aucune décision à temps',
    },
  },
  seller: { heading: 'Vendeur', name: 'Raison sociale', address: 'Adresse' },
  document: {
    heading: 'Document',
    type: 'Type',
    number: 'Numéro',
    date: 'Date',
    due: 'Échéance',
    preceding: 'Se rapporte à',
    ofDate: 'du',
    reason: 'Motif',
    buyer: 'Acheteur',
  },
  amounts: {
    heading: 'Montants',
    ht: 'Total HT',
    vat: 'TVA',
    base: 'sur',
    ttc: 'Total TTC',
    paid: 'Déjà réglé',
    duty: 'Droit de timbre',
    withheld: 'TVA retenue à la source',
    due: 'Net à payer',
  },
  file: {
    heading: 'Mon fichier est-il l’original ?',
    label: 'Choisissez le fichier XML que vous avez reçu',
    hint: 'Son empreinte est calculée dans votre navigateur et comparée : le fichier n’est envoyé nulle part.',
    digest: 'Empreinte SHA-256 de l’original',
    same: 'Oui : votre fichier est l’original, octet pour octet.',
    pdf: 'C’est un PDF, l’image lisible du document. L’original est le fichier XML joint à ce PDF : enregistrez la pièce jointe, puis choisissez-la ici.',
    other:
      'Non : ce fichier n’est pas l’original. Il a été modifié ou réenregistré, ou c’est un autre document ; une preuve téléchargée ici diffère aussi de l’original. Téléchargez l’original ci-dessous.',
    unreadable: 'Ce fichier n’a pas pu être lu.',
    unable:
      'Votre navigateur ne calcule pas d’empreinte à cette adresse. Calculez-la avec « sha256sum » ou « certutil -hashfile FICHIER SHA256 » et comparez.',
    busy: 'Calcul de l’empreinte…',
    noScript:
      'Sans JavaScript, calculez l’empreinte avec « sha256sum » ou « certutil -hashfile FICHIER SHA256 » et comparez.',
  },
  signature: {
    heading: 'Signature et preuve',
    valid: 'La signature vient d’être vérifiée : elle est valide, et rien n’a été modifié.',
    invalid: 'La signature n’a pas pu être validée. Contactez le vendeur.',
    unknown: 'La vérification est indisponible en ce moment : rechargez la page plus tard.',
    signer: 'Signé par',
    signedAt: 'Signé le',
    stampedAt: 'Horodaté le',
    noStampYet: 'L’horodatage n’est pas encore là : il arrive d’ordinaire dans la minute.',
    noStamp: 'Il n’y a pas d’horodatage à ce jour.',
    authority: 'Autorité d’horodatage',
    level: 'Niveau de la signature',
    stands: 'Vérifiable jusqu’au',
  },
  downloads: {
    heading: 'Téléchargements',
    original: 'Original (XML)',
    originalHint: 'Le document légal, à conserver dix ans.',
    proof: 'Preuve (XML)',
    proofHint: 'L’original et, en plus, ce qui prouve sa signature dans la durée.',
    noProofYet: 'La preuve n’est pas encore prête.',
    noProof: 'À ce jour, il n’y a pas de preuve en dehors de l’original.',
    pdf: 'PDF',
    pdfHint: 'Pour lire et imprimer ; l’original y est joint.',
  },
  address: 'Adresse de cette page :',
  notFound: {
    title: 'Aucun document à cette adresse',
    detail:
      'Vérifiez l’adresse, caractère par caractère, sur le PDF. Si elle est exacte, ne vous fiez pas au document et contactez le vendeur.',
  },
  tooMany: {
    title: 'Trop de demandes',
    detail: 'Votre réseau a demandé trop de pages. Réessayez dans une minute.',
  },
  unavailable: {
    title: 'Momentanément indisponible',
    detail: 'Le service ne peut pas répondre en ce moment. Réessayez dans une minute.',
  },
}
