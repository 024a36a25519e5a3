import type { ErrorCode } from '@einvoicing/domain/api-error'

const tooMany = 'Trop de tentatives.'
const tooBig = 'La saisie est trop volumineuse.'
const notUnderstood = 'Le service n’a pas compris cette demande. Rechargez la page, puis réessayez.'
const signInAgain = 'Votre session a expiré. Reconnectez-vous.'

const byCode = {
  API_KEY_MISSING: notUnderstood,
  API_KEY_INVALID: notUnderstood,
  API_KEY_RATE_LIMITED: 'Trop de demandes en peu de temps.',
  VALIDATION_ERROR: 'Certains champs sont invalides. Corrigez-les, puis réessayez.',
  CREDENTIALS_INVALID: 'Adresse e-mail ou mot de passe incorrect.',
  TOO_MANY_ATTEMPTS: tooMany,
  EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
  SIGNUP_CLOSED:
    'La création de comptes est fermée. Un propriétaire de votre organisation peut vous inviter ; pour une nouvelle, adressez-vous à l’exploitant de ce service.',
  SESSION_MISSING: 'Connectez-vous d’abord.',
  SESSION_INVALID: signInAgain,
  FORBIDDEN: 'Votre rôle ne le permet pas. Adressez-vous à un propriétaire de l’organisation.',
  CSRF_REFUSED: 'Requête rejetée : elle ne provient pas de cette page. Rechargez la page.',
  LAST_OWNER: 'Une organisation doit avoir au moins un propriétaire. Nommez-en d’abord un autre.',
  INSUFFICIENT_SCOPE: notUnderstood,
  CONFIRMATION_REQUIRED: 'Rien n’a été enregistré : confirmez d’abord votre identité.',
  EMAIL_NOT_VERIFIED:
    'Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien du message envoyé.',
  ORGANIZATION_SWITCHED:
    'Une autre page de ce navigateur est passée à une autre organisation. Revenez-y, ou rechargez cette page. Rien n’a été enregistré.',
  SECOND_FACTOR_REQUIRED: 'Votre organisation exige un second facteur. Configurez-le d’abord.',
  PASSKEY_NOT_FOUND: 'Cette clé d’accès n’existe plus.',
  SESSION_NOT_FOUND: 'Cette session a déjà pris fin.',
  MEMBER_NOT_FOUND: 'Cet utilisateur n’est plus membre de l’organisation.',
  INVITATION_NOT_FOUND: 'Cette invitation n’est plus valable.',
  API_KEY_NOT_FOUND: 'Cette clé a expiré, a été révoquée ou n’existe pas. Créez-en une autre.',
  INVOICE_NOT_FOUND: 'Cette facture n’existe pas dans votre organisation.',
  INVOICE_NUMBER_EXISTS: 'Ce numéro de facture existe déjà.',
  INVOICE_NOT_EDITABLE: 'Cette facture n’est plus modifiable : son statut a changé.',
  INVOICE_NOT_RESUBMITTABLE: 'Seule une facture en échec peut être renvoyée.',
  INVOICE_NOT_CREDITABLE:
    'Le statut de cette facture, ou le nombre de ses avoirs (200), ne permet pas d’émettre un avoir.',
  CREDIT_EXCEEDS_INVOICE: 'L’avoir dépasse le montant restant de la facture.',
  INVOICE_CHANGED:
    'Ce brouillon a été modifié entre-temps, dans un autre onglet ou par un autre utilisateur.',
  PRECONDITION_FAILED: 'Un autre utilisateur a modifié ces mentions entre-temps.',
  ORGANIZATION_NOT_APPROVED:
    'Votre organisation ne peut pas signer de facture : elle est en attente d’approbation ou suspendue.',
  MISSING_LEGAL_MENTIONS:
    'Des mentions légales obligatoires de votre organisation sont manquantes.',
  ARTEFACT_NOT_AVAILABLE: 'Ce document n’est pas encore disponible.',
  TOO_MANY_STREAMS: 'Trop de pages sont ouvertes en même temps. Fermez-en quelques-unes.',
  PAYLOAD_TOO_LARGE: tooBig,
  HEADERS_TOO_LARGE: tooBig,
  UNSUPPORTED_MEDIA_TYPE: notUnderstood,
  BAD_REQUEST: notUnderstood,
  METHOD_NOT_ALLOWED: notUnderstood,
  CALLER_REFUSED: notUnderstood,
  REQUEST_TIMEOUT: 'L’envoi a pris trop de temps. Réessayez.',
  SERVICE_UNAVAILABLE:
    'Le service est momentanément indisponible. Vérifiez si votre modification a été enregistrée, puis réessayez.',
  INTERNAL_ERROR:
    'Une erreur interne est survenue. Vérifiez si votre modification a été enregistrée, puis réessayez.',
  NOT_FOUND: 'Introuvable.',
} satisfies Record<ErrorCode, string>

const translateFieldError = (message: string): string => {
  const known = fieldErrors.find(([pattern]) => pattern.test(message))
  return known ? message.replace(...known) : 'Valeur non valide.'
}

// The service's field errors are in English.
const fieldErrors: [RegExp, string][] = [
  [/^.*must be a country code.*$/, 'Saisissez le code du pays en deux majuscules, par exemple MA.'],
  [/^.*must be an IBAN.*$/, 'Saisissez un IBAN complet, en majuscules et sans espaces.'],
  [/^.*must be a BIC.*$/, 'Saisissez un BIC de 8 ou 11 caractères, en majuscules.'],
  [
    /^.*more than (\d+) significant digits.*$/,
    'Plus de $1 chiffres : divisez la facture, ou vérifiez la quantité et le prix.',
  ],
  [/^.*is too easy to guess: it is a common.*$/, 'Trop facile à deviner : essayez plusieurs mots.'],
  [
    /^.*is too easy to guess: it repeats your own.*$/,
    'Trop facile à deviner : il reprend votre adresse e-mail ou votre organisation.',
  ],
  [
    /^.*is not the code that the app shows.*$/,
    'Ce n’est pas le code que l’application affiche : vérifiez l’heure de l’appareil.',
  ],
  [
    /^.*cannot be invited: the organization has (\d+) members.*$/,
    'L’organisation a déjà $1 membres et invitations, le maximum : retirez-en d’abord.',
  ],
  [
    /^.*cannot be accepted: you are a member of (\d+) organizations.*$/,
    'Vous êtes déjà membre de $1 organisations, le maximum : quittez-en une d’abord.',
  ],
  [
    /^.*is for (\S+): sign out, and accept it.*$/,
    'Cette invitation est destinée à $1 : déconnectez-vous, puis acceptez-la avec ce compte.',
  ],
  [/^.*is not one of your organizations.*$/, 'Vous n’êtes pas membre de cette organisation.'],
  [
    /^.*cannot be used: the new address has an account now.*$/,
    'La nouvelle adresse a désormais un compte : choisissez-en une autre dans Mon compte.',
  ],
  [/^.*is already your address.*$/, 'C’est déjà votre adresse : indiquez-en une autre.'],
  [/^.*is not valid: it was used.*$/, 'Ce lien n’est plus valable : demandez-en un nouveau.'],
  [
    /^.*cannot get a link, because this service sends no email.*$/,
    'Ce service n’envoie pas de messages : demandez un lien à son exploitant.',
  ],
  [
    /^.*cannot be used for another key: the organization has (\d+) active keys.*$/,
    'L’organisation a déjà $1 clés actives, le maximum : révoquez-en une d’abord.',
  ],
  [
    /^.*must be later than now, and at most (\d+) years ahead.*$/,
    'Doit être dans le futur, à $1 ans au plus.',
  ],
  [/^.*must contain only .*$/, 'Choisissez parmi les droits proposés.'],
  [
    /^.*cannot be checked, because no new secret is waiting.*$/,
    'Ce code QR n’est plus valable : recommencez la configuration.',
  ],
  [
    /^.*needs a second factor first.*$/,
    'Configurez d’abord une application d’authentification ou une clé d’accès.',
  ],
  [
    /^.*was not made for this page and session.*$/,
    'Cette clé d’accès ne correspond pas à cette page : réessayez.',
  ],
  [
    /^.*was not added, because the second factor was removed.*$/,
    'Le second facteur vient d’être retiré : réessayez.',
  ],
  [/^.*has already been added.*$/, 'Cette clé d’accès est déjà enregistrée.'],
  [
    /^.*is one too many: remove one of the (\d+) first.*$/,
    'Vous avez déjà $1 clés d’accès, le maximum : retirez-en une d’abord.',
  ],
  [/^.*must not (be blank|consist only of spaces).*$/, 'Champ obligatoire'],
  [
    /^.*can no longer be changed.*$/,
    'Ne peut plus être modifié ici : demandez à l’exploitant de ce service.',
  ],
  [
    /^.*belongs to another approved organization.*$/,
    'Appartient à une autre organisation approuvée : écrivez à l’exploitant de ce service.',
  ],
  [
    /^.*is required: the lines have (.*)$/,
    'Précisez le taux auquel elle s’applique : les lignes ont $1.',
  ],
  [
    /^.*is required: your organization has no invoice numbered (.*)$/,
    'Votre organisation n’a pas de facture $1 : indiquez la date de cette facture.',
  ],
  [
    /^.*or buyerIf is required.*$/,
    'L’ICE ou l’IF de l’acheteur est obligatoire en cas d’autoliquidation.',
  ],
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
  [/^.*must (?:be|have) at least (\d+) characters.*$/, 'Au moins $1 caractères.'],
  [/^.*must (?:be|have) at most (\d+) characters.*$/, 'Au plus $1 caractères.'],
  [/^.*must have at most (\d+) lines.*$/, 'Au plus $1 lignes.'],
  [
    /^.*must have at most (\d+) allowances and charges.*$/,
    'Au plus $1 remises et frais sur l’ensemble des lignes.',
  ],
  [/^.*must have at most (\d+) (?:entries|items).*$/, 'Au plus $1 entrées.'],
  [/^.*must be a currency that EN 16931 allows.*$/, 'Cette devise n’est plus acceptée.'],
  [
    /^.*must have at most (\d+) digits before and (\d+) after.*$/,
    'Trop de chiffres : $1 au plus avant la virgule, $2 après.',
  ],
  [/^.*must not contain .*$/, 'Contient un caractère interdit ou invisible.'],
  [/^.*must not exceed the amount of the line, (.*)$/, 'Dépasse le montant de la ligne, $1.'],
  [/^.*must not exceed the lines: VAT (\S+) %, (.*)$/, 'Dépasse le total des lignes à $1 %, $2.'],
  [/^.*must not exceed the total including VAT, (.*)$/, 'Dépasse le total TTC, $1.'],
  [
    /^.*must leave at least the VAT withheld, (\S+), to pay; it leaves (.*)$/,
    'Doit laisser à payer au moins la TVA retenue, $1 ; il reste $2.',
  ],
  [
    /^.*must be that of a line; no line has (\w+) at (\d+) %$/,
    'Aucune ligne à $2 % n’a le régime $1.',
  ],
  [/^.*must be that of a line; no line has (.*)$/, 'Aucune ligne n’a ce taux ou ce régime : $1.'],
  [/^.*must have at most (\d+) digits after.*$/, 'Au plus $1 chiffres après la virgule.'],
  [
    /^.*is not an invoice of your organization.*$/,
    'Cette facture n’est pas de votre organisation.',
  ],
  [
    /^.*is this document itself: name an earlier one.*$/,
    'C’est ce document lui-même : indiquez une facture antérieure.',
  ],
  [/^.*must be unique; precedingInvoices.*$/, 'Cette facture est déjà indiquée.'],
  [/^.*must be that of the invoice, ([^;]*);.*$/, 'Ne correspond pas à la facture : $1.'],
  [
    /^.*must have the buyer of invoice (.*): a credit note has one buyer.*$/,
    'Cette facture est à un autre acheteur que la facture $1 : un avoir n’en a qu’un.',
  ],
  [/^.*must be that of invoice ([^,:]*), which has none.*$/, 'La facture $1 n’en a pas.'],
  [/^.*must be that of invoice ([^,:]*)[,:] ([^;]*).*$/, 'Doit être celui de la facture $1 : $2.'],
  [
    /^.*must not be before that of invoice (.*) \((.*)\);.*$/,
    'Ne peut pas précéder la facture $1 ($2).',
  ],
  [/^.*must be E, G, AE or O.*$/, 'Choisissez E, G, AE ou O pour le taux 0.'],
  [/^.*is allowed only with vatRate 0.*$/, 'Ne concerne que le taux 0.'],
  [/^.*is not allowed with type CREDIT_NOTE.*$/, 'Ne concerne pas les avoirs.'],
  [/^.*is allowed only with paymentMethod CASH.*$/, 'Ne concerne que les paiements en espèces.'],
  [
    /^.*must be a country other than MA.*$/,
    'Une exportation a un acheteur hors du Maroc : indiquez son pays.',
  ],
  [
    /^.*O cannot be combined with other VAT categories.*$/,
    'Le régime « hors champ » ne peut pas être mêlé à d’autres dans un document.',
  ],
  [
    /^.*must be omitted when the VAT category is O.*$/,
    'À laisser vide pour une opération hors champ.',
  ],
  [
    /^.*must begin with the code of the country, (\S+),.*$/,
    'Doit commencer par le code du pays, $1, comme un numéro de TVA.',
  ],
  [/^.*must have either rib or iban.*$/, 'Indiquez le RIB ou l’IBAN, pas les deux.'],
  [
    /^.*has wrong check digits.*$/,
    'La clé de contrôle est fausse : comparez avec le relevé de la banque.',
  ],
  [/^.*must not be before from \(([^)]*)\).*$/, 'Ne peut pas précéder le début ($1).'],
  [/^.*must be (?:at most|less than or equal to) (\d+)\b.*$/, 'Au plus $1.'],
  [/^.*must not begin or end with a space.*$/, 'Ne doit ni commencer ni finir par une espace.'],
  [/^.*must be greater than 0.*$/, 'Doit être supérieur à zéro.'],
  [/^.*must not be earlier than (\d{4})-.*$/, 'Ne peut pas être antérieure à $1.'],
  [/^.*must not be later than one year after today.*$/, 'Au plus tard un an après aujourd’hui.'],
  [
    /^.*must be an IP address or a network.*$/,
    'Saisissez des adresses IP ou des réseaux comme 192.0.2.0/24.',
  ],
  [/^.*must not be before invoiceDate.*$/, 'Ne peut pas précéder la date de facturation.'],
  [/^.*must be (?:a|an existing) date.*$/, 'Cette date n’existe pas.'],
  [
    /^.*this browser is not signed in to the account.*$/,
    'Saisissez-le : ce navigateur n’est pas connecté à ce compte.',
  ],
  [/^.*is incorrect, or was already used.*$/, 'Incorrect, ou déjà utilisé.'],
  [/^.*is not the password of this account.*$/, 'Ce n’est pas le mot de passe de ce compte.'],
  [
    /^.*(current password|is wrong|not your|does not match).*$/i,
    'Le mot de passe actuel est incorrect.',
  ],
]

export const errors = {
  byCode: byCode as Readonly<Record<string, string>>,
  translateFieldError,
  technical: 'Détail technique',
  unknown: 'La demande a été rejetée.',
  retryAfter: (minutes: number) =>
    minutes <= 1 ? 'Réessayez dans une minute.' : `Réessayez dans ${minutes} minutes.`,
  offline: 'Vous êtes hors ligne : rien n’a été enregistré. Réessayez une fois reconnecté.',
  unanswered:
    'Le service n’a pas répondu. Vérifiez si votre modification a été enregistrée, puis réessayez.',
  fields: (count: number) =>
    count === 1
      ? 'Rien n’a été enregistré : corrigez le champ signalé.'
      : `Rien n’a été enregistré : corrigez les ${count} champs signalés.`,
  toMentions: 'Compléter les mentions légales',
  toMembers: 'Voir les propriétaires',
  toInvoice: (number: string) => `Ouvrir la facture ${number}`,
}
