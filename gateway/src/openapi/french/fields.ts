export const fieldTexts: Readonly<Record<string, string>> = {
  'The toJSON() of the credential that navigator.credentials.get returned.':
    'Le toJSON() du justificatif renvoyé par navigator.credentials.get.',
  'The toJSON() of the credential that navigator.credentials.create returned.':
    'Le toJSON() du justificatif renvoyé par navigator.credentials.create.',
  'For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON.':
    'Pour PublicKeyCredential.parseCreationOptionsFromJSON ou parseRequestOptionsFromJSON.',
  'Six digits of the authenticator app.': 'Six chiffres de l’application d’authentification.',
  'Works once.': 'Ne sert qu’une fois.',
  'The session is not open yet: send one of these to POST session/second-factor.':
    'La session n’est pas encore ouverte : envoyez l’un d’eux à POST session/second-factor.',
  'Whether the email must be verified by the link that was mailed: until then other calls get 403 EMAIL_NOT_VERIFIED. Always false if no mail is sent by SMTP.':
    'Si l’adresse e-mail doit être confirmée par le lien envoyé : d’ici là, les autres appels reçoivent 403 EMAIL_NOT_VERIFIED. Toujours false si aucun message n’est envoyé par SMTP.',
  'Whether the organization requires a second factor that the user has not set up: until then other calls get 403 SECOND_FACTOR_REQUIRED.':
    'Si l’organisation exige un second facteur que l’utilisateur n’a pas configuré : d’ici là, les autres appels reçoivent 403 SECOND_FACTOR_REQUIRED.',
  'Whether an authenticator app is set up.':
    'Si une application d’authentification est configurée.',
  'Whether the organization requires a second factor.':
    'Si l’organisation exige un second facteur.',
  'null until it is first used.': 'null jusqu’à son premier usage.',
  'Ten codes, returned only once, if the user had none; otherwise empty.':
    'Dix codes, renvoyés une seule fois, si l’utilisateur n’en avait pas ; sinon vide.',
  'Of a change of email: the address whose link must be opened too.':
    'D’un changement d’adresse : l’adresse dont le lien doit être ouvert aussi.',
  'true: a change of email is done.': 'true : un changement d’adresse est fait.',
  'The new address.': 'La nouvelle adresse.',
  'Addresses whose link was not opened yet.':
    'Les adresses dont le lien n’a pas encore été ouvert.',
  'A change that waits for its links; null: none.':
    'Un changement qui attend ses liens ; null : aucun.',
  'Returned only once.': 'Renvoyés une seule fois.',
  'Base32, returned only once.': 'Base32, renvoyé une seule fois.',
  'From GET passkeys.': 'De GET passkeys.',
  'The signed file, byte for byte.': 'Le fichier signé, octet pour octet.',
  'Every check passes.': 'Tous les contrôles réussissent.',
  'The level of the signature, read from its structure.':
    'Le niveau de la signature, d’après sa structure.',
  'The problem, in one sentence.': 'Le problème, en une phrase.',
  'In the order of the checks; one timeStamp entry per time stamp.':
    'Dans l’ordre des contrôles ; une entrée timeStamp par horodatage.',
  'Checks that were skipped: the document has no such part, or an earlier check failed.':
    'Contrôles omis : le document n’a pas cette partie, ou un contrôle précédent a échoué.',
  'SHA-256 of the certificate, hexadecimal with colons.':
    'SHA-256 du certificat, en hexadécimal avec des deux-points.',
  'null: this service has no list of trusted authorities.':
    'null : ce service n’a pas de liste d’autorités de confiance.',
  'The time that the signer states.': 'L’heure que le signataire déclare.',
  'A trusted time stamp proves that the signature existed at this time.':
    'Un horodatage de confiance prouve que la signature existait à cette date.',
  'The document can be verified until this time; null if a check fails.':
    'Le document peut être vérifié jusqu’à cette date ; null si un contrôle échoue.',
  'Read from the signed bytes; null if the check document fails.':
    'Lu dans les octets couverts par l’empreinte ; null si le contrôle document échoue.',
  'The file is the original, byte for byte.': 'Le fichier est l’original, octet pour octet.',
  'SHA-256 of the original.': 'SHA-256 de l’original.',
  'The state of the document in this service; null unless this service proves to be the signer.':
    'L’état du document dans ce service ; null si la signature n’est pas celle de ce service.',
  'Amount credited by credit notes, including VAT.': 'Montant crédité par des avoirs, TTC.',
  'A public page for the recipients of the document: its state, and the proof of its signature. null until signed.':
    'Une page publique pour les destinataires du document : son état et la preuve de sa signature. null tant qu’il n’est pas signé.',
  Created: 'Créé',
  'The file, stored for ten years.': 'Le fichier, conservé dix ans.',
  'The PDF, which is not stored.': 'Le PDF, qui n’est pas conservé.',
  'The copy that If-None-Match names is current.': 'La copie que désigne If-None-Match est à jour.',
  'The table, as a file.': 'Le tableau, sous forme de fichier.',
  'The stream, until it ends.': 'Le flux, jusqu’à sa fin.',
  'From 0. A page past the end is empty, with the true totals.':
    'À partir de 0. Une page au-delà de la fin est vide, avec les vrais totaux.',
  'Ties are broken by id, so that pages never overlap.':
    'Les égalités sont départagées par l’id, pour que les pages ne se chevauchent jamais.',
  'Exactly this number, whatever its Unicode form.':
    'Exactement ce numéro, quelle que soit sa forme Unicode.',
  "In any case of letters: in the number, in the buyer's name, or at the beginning of the buyer's ICE or of dgiReference. An amount including VAT as it begins: 1200 finds 1200.60, and so do 1200.60, 1 200,60 and 1,200.60.":
    'Sans distinguer les majuscules : dans le numéro, dans le nom de l’acheteur, ou au début de son ICE ou de dgiReference. Un montant TTC par son début : 1200 trouve 1200.60, comme 1200.60, 1 200,60 et 1.200,60.',
  'The first day, included.': 'Le premier jour, compris.',
  'The last day, included; not before invoiceDateFrom.':
    'Le dernier jour, compris ; pas avant invoiceDateFrom.',
  'A malformed id returns 404, like an unknown one.':
    'Un id mal formé renvoie 404, comme un id inconnu.',
  'The `updatedAt` of the draft you read, in double quotes: it is changed, signed or cancelled only if it has not changed since.':
    'L’`updatedAt` du brouillon que vous avez lu, entre guillemets doubles : il n’est modifié, signé ou abandonné que s’il n’a pas changé depuis.',
  'The original with evidence added to its signature (XAdES), at the highest level available and at least this one. 409 ARTEFACT_NOT_AVAILABLE until that level is available.':
    'L’original avec des preuves ajoutées à sa signature (XAdES), au plus haut niveau disponible et au moins à celui-ci. 409 ARTEFACT_NOT_AVAILABLE tant que ce niveau n’est pas disponible.',
  'The XAdES level of the signature in the answer.':
    'Le niveau XAdES de la signature dans la réponse.',
  'XAdES-B-B, or the level that GET …/xml?level= can give; null until signed.':
    'XAdES-B-B, ou le niveau que GET …/xml?level= peut donner ; null avant la signature.',
  'The time of the time stamp on the signature.':
    'La date et l’heure de l’horodatage de la signature.',
  'The ETag of the copy you already have.': 'L’ETag de la copie que vous avez déjà.',
  'Protects against CSRF: a form on another site cannot send it.':
    'Protège contre le CSRF : un formulaire d’un autre site ne peut pas l’envoyer.',
  'The `ETag` you read: the change is applied only if the legal details have not changed since. Without it, or with `*`, the change is applied in any case.':
    'L’`ETag` que vous avez lu : la modification n’est faite que si les mentions légales n’ont pas changé depuis. Sans lui, ou avec `*`, elle est faite dans tous les cas.',
  'Of a member, or of an invitation not accepted yet.':
    'D’un membre, ou d’une invitation pas encore acceptée.',
  'An exact action, or a prefix that ends with a dot.':
    'Une action exacte, ou un préfixe qui se termine par un point.',
  'An exact actor, as the log shows it, or a prefix that ends with a colon.':
    'Un auteur exact, tel qu’il figure dans le journal, ou un préfixe qui se termine par deux-points.',
  'An exact network, as the log shows it. Entries of invoices have none.':
    'Un réseau exact, tel qu’il figure dans le journal. Les entrées des factures n’en ont pas.',
  'Part of the device, ignoring case. Entries of invoices have none.':
    'Une partie de l’appareil, sans distinction de casse. Les entrées des factures n’en ont pas.',
  'Where a change to an account came from: an IPv4 address, or the /64 network of an IPv6 address; null for invoices.':
    'D’où vient une modification de compte : une adresse IPv4, ou le réseau /64 d’une adresse IPv6 ; null pour les factures.',
  'The `User-Agent` of the client that changed an account; null for invoices.':
    'Le `User-Agent` du client qui a modifié un compte ; null pour les factures.',
  'The position in the chain of the organization, from 1. Invoices have a chain of their own. null for an entry that is older than the chain.':
    'La position dans la chaîne de l’organisation, à partir de 1. Les factures ont leur propre chaîne. null pour une entrée antérieure à la chaîne.',
  'SHA-256 of the entry and the hash of the previous one, in hexadecimal.':
    'SHA-256 de l’entrée et de l’empreinte de la précédente, en hexadécimal.',
  'Why the organization cannot sign; absent if it can. If sign-up requires approval, an operator approves it.':
    'Pourquoi l’organisation ne peut pas signer ; absent si elle le peut. Si l’inscription exige une approbation, l’exploitant du service l’approuve.',
  Accepted: 'Acceptée',
  'For a spreadsheet in this language: numbers and names instead of ids, Moroccan time, network and device; in French separated by semicolons.':
    'Pour un tableur dans cette langue : numéros et noms au lieu des identifiants, heure du Maroc, réseau et appareil ; en français, séparé par des points-virgules.',
  'The id of an invoice of your organization.': 'L’id d’une facture de votre organisation.',
  'A number that your organization does not have refers to an invoice issued elsewhere and requires its date.':
    'Un numéro absent de votre organisation désigne une facture émise ailleurs et exige sa date.',
  'At least one of id and invoiceNumber.': 'Au moins id ou invoiceNumber.',
  'Missing: INVOICE. The amounts of a CREDIT_NOTE are positive. Fixed when the document is created.':
    'Absent : INVOICE. Les montants d’un avoir (CREDIT_NOTE) sont positifs. Fixé à la création du document.',
  'The invoices that the document corrects or completes. Required on a CREDIT_NOTE, which copies the buyer from the first one.':
    'Les factures que le document corrige ou complète. Obligatoire pour un avoir (CREDIT_NOTE), qui reprend l’acheteur de la première.',
  'Required on a CREDIT_NOTE, and allowed only there.':
    'Obligatoire pour un avoir (CREDIT_NOTE), et permis seulement là.',
  'Percent; 8, 9, 11, 12, 13, 15, 16, 18 on a CREDIT_NOTE only, as its original has.':
    'En pour cent ; 8, 9, 11, 12, 13, 15, 16, 18 seulement sur un avoir (CREDIT_NOTE), comme sur la facture d’origine.',
  'With an id if your organization has the invoice.':
    'Avec un id si votre organisation a la facture.',
  'As sent, or computed from percent.': 'Tel qu’envoyé, ou calculé à partir du pourcentage.',
  'Sum of the lines.': 'Total des lignes.',
  'Sum of the allowances of the document.': 'Total des remises du document.',
  'Sum of the charges of the document.': 'Total des frais du document.',
  'Total including VAT, less the prepaid amount.': 'Total TTC, moins ce qui est déjà réglé.',
  'UNCL 5305: S standard, E exempt, G export, AE reverse charge, O outside the scope of VAT.':
    'UNCL 5305 : S taux normal ou réduit, E exonéré, G exportation, AE autoliquidation, O hors champ de la TVA.',
  'Discounts on the line.': 'Remises sur la ligne.',
  'One allowance or charge.': 'Une remise ou des frais.',
  'Either amount or percent.': 'Soit amount, soit percent.',
  'Percentage of the lines; percentages are not compounded.':
    'Pourcentage des lignes ; les pourcentages ne se cumulent pas.',
  'UNTDID 5189 of an allowance, 7161 of a charge.':
    'UNTDID 5189 pour une remise, 7161 pour des frais.',
  'Charges on the line.': 'Frais sur la ligne.',
  'Amount already received without a deposit invoice; at most the total including VAT. The VAT withheld must be left to pay.':
    'Montant déjà reçu sans facture d’acompte ; au plus le total TTC. Il doit rester à payer la TVA retenue.',
  'Discounts on the document.': 'Remises sur le document.',
  'The VAT rate of the lines concerned. Missing: all lines, for a percentage or if the lines have a single rate.':
    'Le taux de TVA des lignes concernées. Absent : toutes les lignes, pour un pourcentage ou si les lignes ont un seul taux.',
  'Charges on the document: transport, packing.': 'Frais sur le document : transport, emballage.',
  'true: the stamp duty of 0.25 % on cash payments is computed and stated. Allowed only with paymentMethod CASH, and not on a CREDIT_NOTE.':
    'true : le droit de timbre de 0,25 % sur les paiements en espèces est calculé et mentionné. Permis seulement avec paymentMethod CASH, et pas sur un avoir (CREDIT_NOTE).',
  'How much of the VAT the buyer withholds at the source.':
    'La part de la TVA que l’acheteur retient à la source.',
  'Allowed values that may be mistakes.': 'Valeurs permises, mais peut-être erronées.',
  'The first day (Africa/Casablanca), included.': 'Le premier jour (Africa/Casablanca), compris.',
  'The last day (Africa/Casablanca), included; not before from.':
    'Le dernier jour (Africa/Casablanca), compris ; pas avant from.',
  'The id of the last event received, which browsers send by themselves. Changes missed within the last hour are sent first; any other value starts a new stream.':
    'L’id du dernier événement reçu, que les navigateurs envoient d’eux-mêmes. Les changements manqués depuis une heure sont envoyés d’abord ; toute autre valeur ouvre un nouveau flux.',
  'How many days, today included.': 'Combien de jours, aujourd’hui compris.',
  'Total excluding VAT, computed.': 'Total HT, calculé.',
  'Total VAT, computed.': 'Total de la TVA, calculé.',
  'Total including VAT, computed.': 'Total TTC, calculé.',
  'Clearance reference; null until ACCEPTED.':
    'Référence de la validation ; null jusqu’à ACCEPTED.',
  'The text inside the QR image; null until ACCEPTED.':
    'Le texte contenu dans l’image QR ; null jusqu’à ACCEPTED.',
  'Why it was REJECTED or FAILED.': 'Pourquoi elle est REJECTED ou FAILED.',
  'No space at either end, and no invisible character; stored in Unicode NFC, at most 64 characters in that form. Unique per organization for ever: sending it again returns 409 and creates nothing.':
    'Sans espace au début ni à la fin, ni caractère invisible ; enregistré en Unicode NFC, au plus 64 caractères sous cette forme. Unique pour toujours dans l’organisation : envoyé de nouveau, il reçoit 409 et rien n’est créé deux fois.',
  'From 2000-01-01 to one year after today (Africa/Casablanca).':
    'Du 2000-01-01 à un an après aujourd’hui (Africa/Casablanca).',
  'ISO 4217.': 'ISO 4217.',
  'Unique within the invoice.': 'Unique dans la facture.',
  'At most 10 digits after the decimal point.': 'Au plus 10 chiffres après la virgule.',
  'Excluding VAT, in the currency of the invoice. At most 10 digits after the decimal point.':
    'HT, dans la devise de la facture. Au plus 10 chiffres après la virgule.',
  'Free unit of measure.': 'Unité de mesure libre.',
  'Only on a line with vatRate 0; the document says "Exonération de TVA" if it is missing.':
    'Seulement sur une ligne de vatRate 0 ; sans lui, le document indique « Exonération de TVA ».',
  'Tax identifier of the buyer. On the clearance simulator, some values select the outcome: `000000000000101` is REJECTED with `BUYER_UNKNOWN` (102 to 113: the other rejections), `000000000000201` is decided after 10 seconds, `000000000000202` never, `000000000000503` gets that HTTP status on the first attempt (so do 401 to 504), `000000000000602` loses the first answer, `000000000000903` finds the platform unavailable on every attempt.':
    'ICE de l’acheteur. Avec le simulateur, certaines valeurs déterminent le résultat : `000000000000101` est REJECTED avec `BUYER_UNKNOWN` (102 à 113 : les autres rejets), `000000000000201` est décidé après 10 secondes, `000000000000202` jamais, `000000000000503` reçoit d’abord ce statut HTTP (de même 401 à 504), `000000000000602` perd la première réponse, `000000000000903` trouve chaque fois la plateforme indisponible.',
  'Your item code.': 'Votre code article.',
  'Number of the line in the purchase order.': 'Numéro de la ligne dans le bon de commande.',
  'Free text about the line.': 'Texte libre sur la ligne.',
  'The period of the service on the line. At least one of from and to.':
    'La période de la prestation de la ligne. Au moins from ou to.',
  'Not before from.': 'Pas avant from.',
  'City of the buyer.': 'Ville de l’acheteur.',
  'ISO 3166-1 alpha-2. Country of the buyer; missing: MA.':
    'ISO 3166-1 alpha-2. Pays de l’acheteur ; absent : MA.',
  'Identifiant Fiscal of the buyer; for a buyer abroad, the VAT identifier, which begins with the country code.':
    'Identifiant fiscal de l’acheteur ; à l’étranger, son identifiant de TVA, qui commence par le code du pays.',
  'BUSINESS: buyerName and buyerIce are required for a buyer in Morocco. Not written to the document.':
    'BUSINESS : buyerName et buyerIce sont obligatoires pour un acheteur au Maroc. Ne figure pas dans le document.',
  'Free text for the buyer.': 'Texte libre pour l’acheteur.',
  'The reference that the buyer asked you to quote.':
    'La référence que l’acheteur a demandé de citer.',
  'Number of the contract; in public procurement, number of the marché.':
    'Numéro du contrat ; dans la commande publique, celui du marché.',
  'Number of the delivery note (bon de livraison).': 'Numéro du bon de livraison.',
  'The period of the services. At least one of from and to.':
    'La période des prestations. Au moins from ou to.',
  'The delivery date of the goods.': 'La date de livraison des biens.',
  'The delivery address, in one text.': 'L’adresse de livraison, en un seul texte.',
  'ISO 3166-1 alpha-2. Country of deliveryAddress; missing: MA.':
    'ISO 3166-1 alpha-2. Pays de deliveryAddress ; absent : MA.',
  'Terms of payment.': 'Conditions de paiement.',
  'The reference that the buyer gives with the payment.':
    'La référence que l’acheteur indique avec son paiement.',
  'The account to pay to: either rib or iban. Missing: the RIB of the organization.':
    'Le compte à créditer : rib ou iban. Absent : le RIB de l’organisation.',
  'Its check digits must be valid.': 'Sa clé de contrôle doit être juste.',
  'The account holder.': 'Le titulaire du compte.',
  'Company name; missing: a consumer.': 'Raison sociale ; absente : un particulier.',
  'Postal address, in one text.': 'Adresse postale, en un seul texte.',
  'Number of the purchase order of the buyer.': 'Numéro du bon de commande de l’acheteur.',
  'Not before invoiceDate, and at most ten years after it.':
    'Pas avant invoiceDate, et au plus dix ans après.',
  'true: stays PENDING and editable until it is signed.':
    'true : reste PENDING, modifiable, jusqu’à sa signature.',
  'quantity × unitPrice, minus the allowances of the line, plus its charges; each amount is rounded half up to the minor unit.':
    'quantity × unitPrice, moins les remises de la ligne, plus ses frais ; chaque montant est arrondi à l’unité mineure la plus proche, une demi-unité à l’unité supérieure.',
  'The signed payload of the tax authority.': 'Les données signées par l’administration.',
  'READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.':
    'READ_ONLY : lecture seule. ACCOUNTANT : consulte et exporte tout, ne modifie rien. MEMBER : crée et modifie aussi des factures. OWNER : tous les droits.',
  'A new password, or the password of your existing account.':
    'Un nouveau mot de passe, ou celui de votre compte existant.',
  'The organizations of the user: POST session/organization switches to another one.':
    'Les organisations de l’utilisateur : POST session/organization passe à une autre.',
  'Accurate to one minute. Automatic requests do not count.':
    'À une minute près. Les requêtes automatiques ne comptent pas.',
  'An IPv4 address, or the /64 of an IPv6 address.':
    'Une adresse IPv4, ou le /64 d’une adresse IPv6.',
  'The User-Agent of the browser.': 'Le User-Agent du navigateur.',
  'Whether this is the session of the request.': 'Si c’est la session de cette requête.',
  'What the key may do. Missing: everything with invoices.':
    'Ce que la clé peut faire. Absent : tout ce qui concerne les factures.',
  'In the future, and at most ten years ahead. Missing: the key does not expire.':
    'Dans le futur, et dans dix ans au plus. Absent : la clé n’expire pas.',
  'Addresses, or networks in CIDR notation, from which the key works. Missing: all.':
    'Adresses, ou réseaux en notation CIDR, d’où la clé fonctionne. Absent : tous.',
  'The name of the new key. Missing: the name of the old one.':
    'Le nom de la nouvelle clé. Absent : celui de l’ancienne.',
  'For how many hours the old key still works. Missing: 168 (seven days).':
    'Pendant combien d’heures l’ancienne clé fonctionne encore. Absent : 168 (sept jours).',
  'What the key may do.': 'Ce que la clé peut faire.',
  'The key is invalid from this time on.': 'La clé n’est plus valable à partir de cette date.',
  'Networks from which the key works. Empty: all.': 'Réseaux d’où la clé fonctionne. Vide : tous.',
  'How many sessions were ended.': 'Combien de sessions ont été fermées.',
  'From GET sessions.': 'Reçu de GET sessions.',
  'When the session reaches its maximum age.': 'Quand la session atteint son âge maximal.',
  '`test`: invoices go to a simulator and have no legal value.':
    '`test` : les factures vont à un simulateur et n’ont aucune valeur légale.',
  'The secret key. Returned only once.': 'La clé secrète. Renvoyée une seule fois.',
  'null once the member has joined.': 'null une fois que le membre a rejoint l’organisation.',
  'Whether this is the current user.': 'Si c’est l’utilisateur connecté.',
  'Returned only once. Send it to the invited person yourself: no email is sent.':
    'Renvoyé une seule fois. Transmettez-le vous-même à la personne invitée : aucun e-mail n’est envoyé.',
  'The status before; null at creation.': 'Le statut d’avant ; null à la création.',
  'The status after; null if the status did not change.':
    'Le statut d’après ; null si le statut n’a pas changé.',
  'By currency: invoices less credit notes.': 'Par devise : factures moins avoirs.',
  'Without credit notes.': 'Sans les avoirs.',
  'Documents that correct or complete the invoice with exactly this number.':
    'Les documents qui corrigent ou complètent la facture portant exactement ce numéro.',
  'The part of taxableAmount that can still be credited; 0 if the document cannot be credited.':
    'La part de taxableAmount qui peut encore être créditée ; 0 si le document ne peut pas faire l’objet d’un avoir.',
  'The amount credited on this invoice, including VAT.':
    'Le montant crédité sur cette facture, TTC.',
  'Signed credit notes of this invoice, except rejected ones.':
    'Les avoirs signés sur cette facture, sauf les avoirs rejetés.',
  'Sum of creditNotes.': 'Somme de creditNotes.',
  'The number of the credit note, under the rules of an invoice number. Unique per organization for ever, among all documents.':
    'Le numéro de l’avoir, selon les règles du numéro d’une facture. Unique par organisation, pour toujours, parmi tous les documents.',
  'Not before the date of the invoice.': 'Pas avant celle de la facture.',
  'Missing: that of the invoice.': 'Absent : celui de la facture.',
  'The number of a line of the invoice.': 'Le numéro d’une ligne de la facture.',
  'At most the quantity of the line.': 'Au plus la quantité de la ligne.',
  'Missing: the whole invoice, with its allowances and charges. An invoice with allowances or charges can be credited only as a whole, or with POST /v1/invoices.':
    'Absent : toute la facture, avec ses remises et ses frais. Une facture avec remises ou frais ne peut être créditée qu’en totalité, ou par POST /v1/invoices.',
  'The envelope of every error.': 'L’enveloppe de toute erreur.',
  'Stable machine-readable code; branch on this.':
    'Code stable, destiné aux programmes : basez vos traitements sur lui.',
  'For people; the wording may change.': 'Destiné aux personnes ; le texte peut changer.',
  'The path in the body, a query parameter, or `body` for the body as a whole.':
    'Le chemin dans le corps, un paramètre de la requête, ou `body` pour le corps entier.',
  'The id your request sent, or a new one. Quote it to support.':
    'L’id envoyé par votre requête, ou un nouveau. Citez-le à l’assistance.',
  'Requests left in this minute (draft-ietf-httpapi-ratelimit-headers-11).':
    'Requêtes restantes pour cette minute (draft-ietf-httpapi-ratelimit-headers-11).',
  'Requests allowed for one API key, or one user of the dashboard, per number of seconds.':
    'Requêtes permises à une clé d’API, ou à un utilisateur du tableau de bord, par nombre de secondes.',
  'Seconds to wait before the next request.': 'Secondes à attendre avant la prochaine requête.',
  'RFC 6750, section 3.': 'RFC 6750, section 3.',
  'The path of the new invoice.': 'Le chemin de la nouvelle facture.',
  'A strong validator: the SHA-256 of the content.': 'Un validateur fort : le SHA-256 du contenu.',
  'A file name made from the invoice number (RFC 6266).':
    'Un nom de fichier formé du numéro de la facture (RFC 6266).',
  'The session, HttpOnly and SameSite=Strict: `__Host-session`, Secure, behind https; otherwise `session`.':
    'La session, HttpOnly et SameSite=Strict : `__Host-session`, Secure, derrière https ; sinon `session`.',
  'A secret key of one organization, from the dashboard. Use it on servers only.':
    'Une clé secrète d’une organisation, créée dans le tableau de bord. À n’utiliser que sur des serveurs.',
  'From POST session.': 'Reçu de POST session.',
  Guide: 'Guide',
  'Two lines with two VAT rates': 'Deux lignes à deux taux de TVA',
  'Minimal invoice: no buyer, paid in cash, exempt from VAT':
    'Facture minimale : sans acheteur, payée en espèces, exonérée de TVA',
  'A credit note for an invoice issued elsewhere': 'Un avoir, sur une facture émise ailleurs',
  'A draft, to edit and sign later': 'Un brouillon, à modifier et à signer plus tard',
}

/** Texts that are codes stay as they are. */
export const sandboxTexts: Readonly<Record<string, string>> = {
  'the decision comes after 10 seconds': 'la décision arrive après 10 secondes',
  'its credit notes are rejected: INVALID_REFERENCE': 'ses avoirs sont rejetés : INVALID_REFERENCE',
  'its credit notes are rejected: CREDIT_EXCEEDS_INVOICE':
    'ses avoirs sont rejetés : CREDIT_EXCEEDS_INVOICE',
  'no decision comes: TRANSMITTED for a day':
    'aucune décision n’arrive : TRANSMITTED pendant un jour',
  "the platform's first answer is 5 seconds late":
    'la première réponse de la plateforme a 5 secondes de retard',
  'the connection of the first submission is cut before it arrives':
    'la connexion du premier envoi est coupée avant son arrivée',
  'the first answer is lost after the platform stored the submission':
    'la première réponse est perdue après l’enregistrement de l’envoi',
  'the platform first answers with HTML': 'la plateforme répond d’abord en HTML',
  'the connection of every submission is cut': 'la connexion de chaque envoi est coupée',
  'the platform answers every submission with 503': 'la plateforme répond 503 à chaque envoi',
  'FAILED, after a day': 'FAILED, après un jour',
}
