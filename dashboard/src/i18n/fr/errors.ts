type ByCode = Readonly<Record<string, string>>

const byCode: ByCode = {
  VALIDATION_ERROR: 'Certains champs sont invalides. Corrigez-les, puis réessayez.',
  CREDENTIALS_INVALID: 'Adresse e-mail ou mot de passe incorrect.',
  TOO_MANY_ATTEMPTS: 'Trop de tentatives. Patientez quelques minutes, puis réessayez.',
  EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
  SIGNUP_CLOSED: 'La création de comptes est fermée. Adressez-vous à votre administrateur.',
  SESSION_MISSING: 'Connectez-vous d’abord.',
  SESSION_INVALID: 'Votre session a expiré. Reconnectez-vous.',
  FORBIDDEN: 'Votre rôle ne le permet pas. Adressez-vous à un propriétaire de l’organisation.',
  CSRF_REFUSED: 'Requête rejetée : elle ne provient pas de cette page. Rechargez la page.',
  LAST_OWNER: 'Une organisation doit avoir au moins un propriétaire. Nommez-en d’abord un autre.',
  MEMBER_NOT_FOUND: 'Cet utilisateur n’est plus membre de l’organisation.',
  INVITATION_NOT_FOUND: 'Cette invitation n’est plus valable.',
  API_KEY_NOT_FOUND: 'Cette clé n’existe plus.',
  INVOICE_NOT_FOUND: 'Cette facture n’existe pas dans votre organisation.',
  INVOICE_NUMBER_EXISTS: 'Ce numéro de facture existe déjà.',
  INVOICE_NOT_EDITABLE: 'Cette facture n’est plus modifiable : son statut a changé.',
  INVOICE_NOT_RESUBMITTABLE: 'Seule une facture en échec peut être renvoyée.',
  INVOICE_CHANGED:
    'Ce brouillon a été modifié entre-temps, dans un autre onglet ou par un autre utilisateur.',
  PRECONDITION_FAILED: 'Un autre utilisateur a modifié ces mentions entre-temps.',
  MISSING_LEGAL_MENTIONS:
    'Des mentions légales obligatoires de votre organisation sont manquantes.',
  ARTEFACT_NOT_AVAILABLE: 'Ce document n’est pas encore disponible.',
  TOO_MANY_STREAMS: 'Trop de pages sont ouvertes en même temps. Fermez-en quelques-unes.',
  PAYLOAD_TOO_LARGE: 'La requête est trop volumineuse.',
  SERVICE_UNAVAILABLE: 'Le service est momentanément indisponible. Réessayez dans un instant.',
  INTERNAL_ERROR: 'Une erreur interne est survenue et a été enregistrée. Réessayez.',
  NOT_FOUND: 'Introuvable.',
}

// The service's field errors are in English; an unknown one is shown as it is.
const translateFieldError = (message: string): string => {
  const known = fieldErrors.find(([pattern]) => pattern.test(message))
  return known ? message.replace(...known) : message
}

const fieldErrors: [RegExp, string][] = [
  [/^.*must not be blank.*$/, 'Champ obligatoire'],
  [/^.*is required.*$/, 'Champ obligatoire'],
  [/^.*must be exactly (\d+) digits.*$/, 'Doit comporter exactement $1 chiffres.'],
  [
    /^.*must be (\d+) to (\d+) digits or letters.*$/,
    'Doit comporter de $1 à $2 chiffres ou lettres.',
  ],
  [
    /^.*must contain only letters, digits, spaces and .*$/,
    'Seuls les lettres, chiffres, espaces et / - . sont acceptés.',
  ],
  [/^.*must be an email address.*$/, 'Saisissez une adresse e-mail, par exemple nom@exemple.ma.'],
  [/^.*must be at least (\d+) characters.*$/, 'Au moins $1 caractères.'],
  [/^.*must have at most (\d+) characters.*$/, 'Au plus $1 caractères.'],
  [/^.*control characters.*$/, 'Contient des caractères interdits.'],
  [
    /^.*(current password|is wrong|not your|does not match).*$/i,
    'Le mot de passe actuel est incorrect.',
  ],
]

export const errors = {
  byCode,
  translateFieldError,
  detail: 'Message du service',
  unknown: 'La requête a été rejetée.',
  retryAfter: (seconds: number) => `Réessayez dans ${seconds} secondes.`,
}
