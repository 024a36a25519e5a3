/**
 * Ce que le service refuse, par code ; sa propre phrase, en anglais, est donnée comme détail. Les
 * fautes de champ arrivent en anglais : celles qui sont connues sont traduites.
 */

type ByCode = Readonly<Record<string, string>>

const byCode: ByCode = {
  VALIDATION_ERROR: 'Certains champs sont à corriger.',
  CREDENTIALS_INVALID: 'Adresse e-mail ou mot de passe incorrect.',
  TOO_MANY_ATTEMPTS: 'Trop d’essais. Patientez un peu, puis réessayez.',
  EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
  SIGNUP_CLOSED: 'La création de comptes est fermée. Adressez-vous à votre administrateur.',
  SESSION_MISSING: 'Connectez-vous d’abord.',
  SESSION_INVALID: 'Votre session est terminée. Reconnectez-vous.',
  FORBIDDEN: 'Votre rôle ne le permet pas. Adressez-vous à un propriétaire de l’organisation.',
  CSRF_REFUSED: 'Demande refusée : elle ne vient pas de cette page.',
  LAST_OWNER: 'Une organisation garde au moins un propriétaire : nommez-en d’abord un autre.',
  MEMBER_NOT_FOUND: 'Cette personne n’est plus membre.',
  INVITATION_NOT_FOUND: 'Cette invitation n’est plus valable.',
  API_KEY_NOT_FOUND: 'Cette clé n’existe plus.',
  INVOICE_NOT_FOUND: 'Cette facture n’existe pas dans votre organisation.',
  INVOICE_NUMBER_EXISTS: 'Ce numéro de facture est déjà pris.',
  INVOICE_NOT_EDITABLE: 'Cette facture n’est plus modifiable : elle a changé d’état.',
  INVOICE_NOT_RESUBMITTABLE: 'Seule une facture en échec peut être renvoyée.',
  INVOICE_CHANGED: 'Ce brouillon a été modifié entre-temps, dans un autre onglet ou par un autre.',
  PRECONDITION_FAILED: 'Quelqu’un a enregistré d’autres mentions entre-temps.',
  MISSING_LEGAL_MENTIONS: 'Il manque des mentions légales de votre organisation.',
  ARTEFACT_NOT_AVAILABLE: 'Ce document n’est pas encore disponible.',
  TOO_MANY_STREAMS: 'Trop de pages ouvertes à la fois.',
  PAYLOAD_TOO_LARGE: 'C’est trop volumineux.',
  SERVICE_UNAVAILABLE: 'Le service est momentanément indisponible. Réessayez dans un instant.',
  INTERNAL_ERROR: 'Le service a rencontré une erreur. Elle est enregistrée ; réessayez.',
  NOT_FOUND: 'Introuvable.',
}

const fault = (said: string): string => {
  const known = faults.find(([pattern]) => pattern.test(said))
  return known ? said.replace(...known) : said
}

const faults: [RegExp, string][] = [
  [/^.*must not be blank.*$/, 'À remplir.'],
  [/^.*is required.*$/, 'À remplir.'],
  [/^.*must be exactly (\d+) digits.*$/, 'Exactement $1 chiffres.'],
  [/^.*must be (\d+) to (\d+) digits or letters.*$/, 'De $1 à $2 chiffres ou lettres.'],
  [/^.*must contain only letters, digits, spaces and .*$/, 'Lettres, chiffres, espaces, / - .'],
  [/^.*must be an email address.*$/, 'Une adresse comme nom@exemple.ma.'],
  [/^.*must be at least (\d+) characters.*$/, 'Au moins $1 caractères.'],
  [/^.*must have at most (\d+) characters.*$/, 'Au plus $1 caractères.'],
  [/^.*control characters.*$/, 'Contient des caractères interdits.'],
  [
    /^.*(current password|is wrong|not your|does not match).*$/i,
    'Ce n’est pas le mot de passe actuel.',
  ],
]

export const refusals = {
  byCode,
  fault,
  detail: 'Détail du service',
  unknown: 'Le service a refusé.',
  retryAfter: (seconds: number) => `Réessayez dans ${seconds} s.`,
}
