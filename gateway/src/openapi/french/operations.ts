export const operationTexts: Readonly<Record<string, string>> = {
  'Sales invoices as JSON. Each is computed, written as UBL 2.1 and signed with XAdES before the answer, then cleared with the tax authority.\n\nEvery answer except a download has the same envelope: `code`, `message`, `data`, `errors`.\n\nAn unknown path gets 404 NOT_FOUND, an unsupported method 405 METHOD_NOT_ALLOWED with `Allow`. The [guide](/docs/guide/errors) lists each error code with its cause and fix.\n\nLengths are counted in Unicode characters. Bodies may be compressed with gzip, deflate or br; the limit is 2 MiB after decoding.':
    'Des factures de vente en JSON. Chacune est calculée, écrite au format UBL 2.1 et signée en XAdES avant la réponse, puis soumise à l’administration fiscale.\n\nToute réponse, sauf un téléchargement, a la même enveloppe : `code`, `message`, `data`, `errors`.\n\nUn chemin inconnu reçoit 404 NOT_FOUND, une méthode non prise en charge 405 METHOD_NOT_ALLOWED avec `Allow`. Le [guide](/docs/guide/fr/errors) donne pour chaque code d’erreur sa cause et son remède.\n\nLes longueurs se comptent en caractères Unicode. Un corps peut être compressé par gzip, deflate ou br, et compte au plus 2 Mio une fois décodé.',
  'Whether a signed file is genuine.': 'Si un fichier signé est authentique.',
  'Verify a signed XML file: which check fails and why, who signed, when.':
    'Vérifier un fichier XML signé : quel contrôle échoue et pourquoi, qui a signé, quand.',
  'Answers 200 for any file, valid or not; nothing is stored. The file is at most 16 MiB, sent as it is. `einvoicing verify --trusted FILE` makes the same checks offline, except `held`; the operator hands the file with the trusted authorities over.':
    'Répond 200 pour tout fichier, valide ou non ; rien n’est enregistré. Le fichier compte au plus 16 Mio, envoyé tel quel. `einvoicing verify --trusted FICHIER` fait les mêmes contrôles hors ligne, sauf `held` ; l’exploitant remet le fichier des autorités reconnues.',
  'Creation, clearance and correction.': 'Création, validation et correction.',
  'Downloads, stored for ten years.': 'Téléchargements, conservés dix ans.',
  'For people, by session. Programs use the operations above, with an API key.':
    'Pour les personnes, par session. Les programmes utilisent les opérations ci-dessus, avec une clé d’API.',
  "List the organization's invoices, page by page, without their lines.":
    'Lister les factures de l’organisation, page par page, sans leurs lignes.',
  'Create an invoice: computed and signed before the answer, cleared after it.':
    'Créer une facture : calculée et signée avant la réponse, soumise à validation après.',
  'Preview the PDF of an invoice without creating it.':
    'Obtenir l’aperçu PDF d’une facture, sans la créer.',
  'Takes the same body as a creation and checks it in the same way. Nothing is stored and the number stays free; every page is marked as a draft. `draft` is ignored.':
    'Prend le corps d’une création et le vérifie de la même façon. Rien n’est enregistré et le numéro reste libre ; chaque page est marquée comme brouillon. `draft` est ignoré.',
  'Create a credit note for a whole invoice, or for some of its lines.':
    'Créer un avoir sur toute une facture, ou sur certaines de ses lignes.',
  'Copies buyer, lines, allowances and charges from the invoice, so that a credit note of the whole invoice has exactly its totals. Answers and errors are those of a creation.':
    'Reprend de la facture l’acheteur, les lignes, les remises et les frais : un avoir sur toute la facture en a les totaux au centime près. Les réponses et les erreurs sont celles d’une création.',
  'Read one invoice, with its lines and the decision of the tax authority.':
    'Lire une facture, avec ses lignes et la décision de l’administration.',
  'Change a PENDING invoice.': 'Modifier une facture PENDING.',
  'Cancel a PENDING invoice; its number cannot be reused.':
    'Abandonner une facture PENDING ; son numéro ne peut pas être réutilisé.',
  'Read the clearance status of an invoice.': 'Lire le statut de validation d’une facture.',
  'Sign a PENDING invoice and start its clearance.':
    'Signer une facture PENDING et la soumettre à validation.',
  'Send a FAILED invoice to the tax authority again.':
    'Renvoyer une facture FAILED à l’administration.',
  'Download the signed UBL 2.1 XML, the legal original; from SIGNED on.':
    'Télécharger le XML UBL 2.1 signé, l’original légal ; à partir de SIGNED.',
  'Download the PDF, the readable copy; from SIGNED on.':
    'Télécharger le PDF, la copie lisible ; à partir de SIGNED.',
  'Download the clearance QR code as PNG; once ACCEPTED.':
    'Télécharger le code QR de validation en PNG ; une fois ACCEPTED.',
  'Create an organization and its first user, who is its OWNER.':
    'Créer une organisation et son premier utilisateur, qui en est OWNER.',
  'Read the current user and their role.': 'Lire l’utilisateur connecté et son rôle.',
  'Sign in and open a session.': 'Se connecter et ouvrir une session.',
  'Confirm your identity with your password, a code or a passkey.':
    'Confirmer votre identité par votre mot de passe, un code ou une clé d’accès.',
  'Valid for ten minutes in this session, like signing in. Only then can API keys, members, RIB, ICE, second factors and the email be changed, other sessions be ended, and an organization be left; otherwise 403 CONFIRMATION_REQUIRED. The session gets a new cookie, and the old cookie stops working. A wrong proof returns VALIDATION_ERROR and counts as a failed sign-in.':
    'Vaut dix minutes dans cette session, comme la connexion. Les clés d’API, les membres, le RIB, l’ICE, les seconds facteurs et l’adresse e-mail ne peuvent être modifiés, d’autres sessions fermées et une organisation quittée que pendant ce délai ; sinon 403 CONFIRMATION_REQUIRED. La session reçoit un nouveau cookie, et l’ancien ne fonctionne plus. Une preuve erronée reçoit VALIDATION_ERROR et compte comme un échec de connexion.',
  'Get the WebAuthn options to confirm with a passkey.':
    'Obtenir les options WebAuthn pour confirmer avec une clé d’accès.',
  'Valid for five minutes, in this session, once.':
    'Valables cinq minutes, dans cette session, une fois.',
  'Complete signing in with a second factor.': 'Achever la connexion par un second facteur.',
  'Call it within five minutes after POST session answered `secondFactor`, with the cookie of that answer, which no other call accepts. The session gets a new cookie. A code, a recovery code and an answer of a passkey each work once. A wrong one returns CREDENTIALS_INVALID and counts as a failed attempt.':
    'Après la réponse `secondFactor` de POST session, dans les cinq minutes et avec son cookie, qu’aucun autre appel n’accepte. La session reçoit un nouveau cookie. Un code, un code de secours et une réponse de clé d’accès ne servent chacun qu’une fois. Une preuve erronée reçoit CREDENTIALS_INVALID et est comptée.',
  'Get the WebAuthn options to sign in with a passkey.':
    'Obtenir les options WebAuthn pour se connecter avec une clé d’accès.',
  'Valid for five minutes and one sign-in. They name no user.':
    'Valables cinq minutes et pour une connexion. Elles ne nomment aucun utilisateur.',
  'Sign in with a passkey, without a password.':
    'Se connecter avec une clé d’accès, sans mot de passe.',
  'A passkey proves possession and verifies its user, so no second factor is needed.':
    'Une clé d’accès prouve la possession et vérifie son utilisateur : aucun second facteur n’est demandé.',
  'Require a second factor for every member, or stop requiring it.':
    'Exiger un second facteur de chaque membre, ou ne plus l’exiger.',
  'Verify an email by the token of the link that was mailed to it.':
    'Confirmer une adresse e-mail par le jeton du lien qui y a été envoyé.',
  'Of an account, or of a change of email (`remaining`, `changed`). The token is valid for 24 hours and works once. In a browser that is not signed in to the account, `password` is needed too: a wrong one counts as a failed sign-in.':
    'D’un compte, ou d’un changement d’adresse (`remaining`, `changed`). Le jeton est valable 24 heures et ne sert qu’une fois. Dans un navigateur qui n’est pas connecté au compte, `password` est demandé aussi : un mot de passe erroné compte comme une connexion manquée.',
  'Read your email, and a change of it that is not done.':
    'Lire votre adresse e-mail, et un changement qui n’est pas terminé.',
  'A change is valid for 24 hours, until a newer one, and until a new password.':
    'Un changement vaut 24 heures, jusqu’au suivant et jusqu’à un nouveau mot de passe.',
  'Change your email.': 'Changer votre adresse e-mail.',
  'Where mail is sent by SMTP, a link goes to the old and one to the new address: the change is done when both were given to POST email/verify. The answer does not show whether the new address has an account. Elsewhere the change is done at once, and an address that has an account is EMAIL_TAKEN.':
    'Là où les messages partent par SMTP, un lien va à l’ancienne adresse et un autre à la nouvelle : le changement est fait quand les deux ont été donnés à POST email/verify. La réponse ne montre pas si la nouvelle adresse a un compte. Ailleurs, le changement est immédiat, et une adresse qui a un compte reçoit EMAIL_TAKEN.',
  'Cancel a change of your email. Idempotent.':
    'Annuler un changement d’adresse e-mail. Idempotent.',
  'Its links no longer work.': 'Ses liens ne fonctionnent plus.',
  'Leave the organization of this session.': 'Quitter l’organisation de cette session.',
  'Your sessions in it end; this one goes on in the first of your other organizations, with a new cookie, and an account without one ends. The only OWNER cannot leave (LAST_OWNER).':
    'Vos sessions y prennent fin ; celle-ci continue dans la première de vos autres organisations, avec un nouveau cookie, et un compte qui n’en a plus prend fin. Le seul OWNER ne peut pas partir (LAST_OWNER).',
  'The session in another of your organizations; null if there is none.':
    'La session dans une autre de vos organisations ; null s’il n’y en a pas.',
  'Have a link for a new password mailed to a member.':
    'Faire envoyer à un membre un lien de réinitialisation du mot de passe.',
  'The link is valid for 30 minutes and works once; it goes to the member alone. Where no mail is sent: VALIDATION_ERROR.':
    'Le lien est valable 30 minutes et ne sert qu’une fois ; il n’est envoyé qu’au membre. Si le service n’envoie pas d’e-mail : VALIDATION_ERROR.',
  'Request another link to verify an email.':
    'Demander un nouveau lien pour confirmer une adresse e-mail.',
  'The answer is the same for any email, at once. A message is sent if the email has a user who has not verified it.':
    'La réponse est la même pour toute adresse, aussitôt. Un message est envoyé si l’adresse a un utilisateur qui ne l’a pas confirmée.',
  'Takes effect with the next request of every session: members without one get 403 SECOND_FACTOR_REQUIRED until they have set one up.':
    'Vaut dès la requête suivante de chaque session : les membres qui n’en ont pas reçoivent 403 SECOND_FACTOR_REQUIRED jusqu’à ce qu’ils en aient configuré un.',
  'Read your second factors.': 'Lire vos seconds facteurs.',
  'For the current user only.': 'Pour l’utilisateur connecté seulement.',
  'Get a new secret for an authenticator app.':
    'Obtenir un nouveau secret pour une application d’authentification.',
  'Nothing changes until PUT totp confirms it with a code, within an hour. Show `otpauthUri` as a QR code.':
    'Rien ne change avant que PUT totp le confirme par un code, dans l’heure. Montrez `otpauthUri` en code QR.',
  'Turn the authenticator app on with its first code.':
    'Activer l’application d’authentification par son premier code.',
  'A code is accepted once, within a minute of the server clock. The ten recovery codes replace earlier ones.':
    'Un code est accepté une fois, à une minute près de l’heure du serveur. Les dix codes de secours remplacent les précédents.',
  'Turn the authenticator app off. Idempotent.':
    'Désactiver l’application d’authentification. Idempotent.',
  'Removing the last second factor also removes the recovery codes.':
    'Le retrait du dernier second facteur supprime aussi les codes de secours.',
  'Get ten new recovery codes.': 'Obtenir dix nouveaux codes de secours.',
  'The earlier codes stop working. VALIDATION_ERROR without a second factor.':
    'Les codes précédents ne fonctionnent plus. VALIDATION_ERROR sans second facteur.',
  'Get the WebAuthn options to create a passkey.':
    'Obtenir les options WebAuthn pour créer une clé d’accès.',
  'List your passkeys.': 'Lister vos clés d’accès.',
  'Oldest first; 20 at most.': 'Les plus anciennes d’abord ; 20 au plus.',
  'Add the passkey that the browser created.': 'Ajouter la clé d’accès que le navigateur a créée.',
  'A passkey is a second factor, and also signs in without a password. An answer that does not match the options returns VALIDATION_ERROR.':
    'Une clé d’accès est un second facteur, et permet aussi de se connecter sans mot de passe. Une réponse qui ne correspond pas aux options reçoit VALIDATION_ERROR.',
  'Rename a passkey.': 'Renommer une clé d’accès.',
  'Only its name changes.': 'Seul son nom change.',
  'Remove a passkey.': 'Retirer une clé d’accès.',
  'List your own open sessions.': 'Lister vos propres sessions ouvertes.',
  'Most recently used first. A session ends after 30 minutes without use (the operator may set another time), and after 12 hours at the latest.':
    'La dernière utilisée d’abord. Une session prend fin après 30 minutes sans usage (l’exploitant du service peut fixer une autre durée), et au plus tard après 12 heures.',
  'End all your other sessions.': 'Fermer toutes vos autres sessions.',
  'Their cookies get 401 SESSION_INVALID from the next request on.':
    'Leurs cookies reçoivent 401 SESSION_INVALID dès la requête suivante.',
  'End one of your own sessions.': 'Fermer une de vos propres sessions.',
  'Its cookie gets 401 SESSION_INVALID from the next request on.':
    'Son cookie reçoit 401 SESSION_INVALID dès la requête suivante.',
  'End all sessions of a member in this organization.':
    'Fermer toutes les sessions d’un membre dans cette organisation.',
  'For a device that was lost. The member stays, and can sign in again.':
    'Pour un appareil perdu. Le membre reste, et peut se reconnecter.',
  'Create a key with the limits of another, which then expires.':
    'Créer une clé avec les limites d’une autre, qui expire ensuite.',
  'Both work until the overlap ends, so that no request fails while you deploy the new one. The old one can be revoked before.':
    'Les deux fonctionnent jusqu’à la fin du chevauchement, pour qu’aucune requête n’échoue pendant la mise en service de la nouvelle. L’ancienne peut être révoquée avant.',
  'Sign out and end the session. Idempotent.': 'Se déconnecter et clore la session. Idempotent.',
  'Read the organization and role that an invitation token is for.':
    'Lire l’organisation et le rôle qu’ouvre un jeton d’invitation.',
  'Accept an invitation, and open a session in its organization.':
    'Accepter une invitation, et ouvrir une session dans son organisation.',
  'List the organizations that you are a member of.':
    'Lister les organisations dont vous êtes membre.',
  'In the order in which you joined; 100 at most.':
    'Dans l’ordre où vous les avez rejointes ; 100 au plus.',
  'Switch to another of your organizations.': 'Passer à une autre de vos organisations.',
  'The session gets a new cookie, and the old cookie stops working. The session still ends at the same time. `secondFactorMissing` is true if the organization requires a second factor that you have not set up.':
    'La session reçoit un nouveau cookie, et l’ancien ne fonctionne plus. La session prend fin à la même heure. `secondFactorMissing` vaut true si l’organisation exige un second facteur que vous n’avez pas configuré.',
  'Send a link by mail that sets a new password.':
    'Envoyer par e-mail un lien pour définir un nouveau mot de passe.',
  'The answer is the same whether or not the email has a user. The link is valid for 30 minutes and works once.':
    'La réponse est la même, que l’adresse ait un utilisateur ou non. Le lien est valable 30 minutes et ne sert qu’une fois.',
  'Set a new password with a one-time token.':
    'Définir un nouveau mot de passe avec un jeton à usage unique.',
  'Read the legal details, and which are missing before you can invoice.':
    'Lire les mentions légales, et celles qui manquent pour pouvoir facturer.',
  'Change legal details. Omitted ones stay as they are; `null` clears one.':
    'Modifier les mentions légales. Celles qui sont omises restent telles quelles ; `null` en efface une.',
  'List the API keys, without their secrets.': 'Lister les clés d’API, sans leurs secrets.',
  'Create an API key. Its secret is returned only once.':
    'Créer une clé d’API. Son secret n’est renvoyé qu’une fois.',
  'Revoke an API key, effective from the next request.':
    'Révoquer une clé d’API, avec effet dès la requête suivante.',
  'List the members of the organization and its open invitations.':
    'Lister les membres de l’organisation et ses invitations en cours.',
  'Invite a person by email.': 'Inviter une personne par son adresse e-mail.',
  'Change the role of a member or of an invitation.':
    'Changer le rôle d’un membre ou d’une invitation.',
  'Remove a member, or withdraw an invitation.': 'Retirer un membre ou une invitation.',
  'Change your own password.': 'Changer votre mot de passe.',
  'Read the audit log, newest first; the newest 10,000 entries at most.':
    'Lire le journal d’audit, du plus récent au plus ancien ; au plus les 10 000 dernières entrées.',
  'Download the audit log as CSV, newest first.':
    'Télécharger le journal d’audit en CSV, du plus récent au plus ancien.',
  'Stream changes of invoices as server-sent events.':
    'Suivre les changements des factures par événements (server-sent events).',
  'Read statistics: statuses, days, time to clearance, rejections.':
    'Lire les statistiques : statuts, jours, délai de validation, rejets.',
  'Read the history of one invoice, oldest entry first.':
    'Lire l’historique d’une facture, de l’entrée la plus ancienne à la plus récente.',
  'Newest first unless `sort` says otherwise. Filters are combined with AND. Amounts are in the currency of each invoice.':
    'De la plus récente à la plus ancienne, sauf si `sort` en décide autrement. Les filtres se cumulent. Les montants sont dans la devise de chaque facture.',
  'All or nothing: after an error nothing is stored and the number stays free; after 500, 503 or no answer the whole invoice may exist. Safe to retry: an existing number returns 409 INVOICE_NUMBER_EXISTS.':
    'Tout ou rien : en cas d’erreur, rien n’est enregistré et le numéro reste libre ; après 500, 503 ou sans réponse, la facture entière existe peut-être. Peut être répétée sans risque : un numéro qui existe reçoit 409 INVOICE_NUMBER_EXISTS.',
  'The `dgi…` fields are null until the tax authority has answered. To poll, use `…/status`: it is smaller.':
    'Les champs `dgi…` sont null tant que l’administration n’a pas répondu. Pour interroger, utilisez `…/status`, plus court.',
  'Only the fields you send change. `null` clears an optional field; lines are replaced as a whole.':
    'Seuls changent les champs que vous envoyez. `null` efface un champ facultatif ; les lignes sont remplacées en bloc.',
  'Only drafts can be cancelled. A signed invoice is corrected by a credit note.':
    'Seul un brouillon peut être abandonné. Une facture signée se corrige par un avoir.',
  'Poll with increasing pauses until ACCEPTED, REJECTED or FAILED. A rejection is not an HTTP error: `dgiErrorCode` and `dgiErrorMessage` say why.':
    'Interrogez avec des pauses croissantes jusqu’à ACCEPTED, REJECTED ou FAILED. Un rejet n’est pas une erreur HTTP : `dgiErrorCode` et `dgiErrorMessage` disent pourquoi.',
  'Locks the content permanently and returns SIGNED. Takes no body. 400 if the dates of the draft are out of range by now: change them first.':
    'Verrouille définitivement le contenu et répond SIGNED. Sans corps. 400 si les dates du brouillon sont sorties des limites : changez-les d’abord.',
  'The same document under the same number; it is never reported twice. Takes no body.':
    'Le même document sous le même numéro ; il n’est jamais déclaré deux fois. Sans corps.',
  'Exactly the bytes that were signed: store them, never a reformatted copy.':
    'Octet pour octet ce qui a été signé : conservez ces octets, jamais une copie remise en forme.',
  'The PDF is marked while the invoice awaits clearance; once ACCEPTED it shows the QR code. PDF/A-3a and PDF/UA-1: it embeds the signed XML, and prints its SHA-256.':
    'Le PDF porte une mention tant que la facture attend sa validation ; une fois ACCEPTED, il montre le code QR. PDF/A-3a et PDF/UA-1 : il contient le XML signé en pièce jointe et en imprime l’empreinte SHA-256.',
  'The QR code leads to the page of the tax authority that confirms the clearance.':
    'Le code QR mène à la page de l’administration qui confirme la validation.',
  'Signs the user in. Fill in the legal details next: no invoice can be signed until they are complete.':
    'Connecte l’utilisateur. Complétez ensuite les mentions légales : aucune facture ne peut être signée avant.',
  'The session is checked on every request: signing out, removing a member, a new role and a new password take effect at once.':
    'La session est contrôlée à chaque requête : une déconnexion, le retrait d’un membre, un nouveau rôle ou mot de passe prennent effet aussitôt.',
  'For security the answer does not say whether the email or the password was wrong. Too many attempts return 429. A user with a second factor gets `secondFactor` instead of a session: complete it with POST session/second-factor.':
    'Par sécurité, la réponse ne dit pas lequel de l’adresse e-mail et du mot de passe était erroné. Trop de tentatives reçoivent 429. Un utilisateur qui a un second facteur reçoit `secondFactor` au lieu d’une session : achevez la connexion par POST session/second-factor.',
  'The server ends the session too: its cookie then gets 401 SESSION_INVALID.':
    'Le serveur clôt aussi la session : son cookie reçoit ensuite 401 SESSION_INVALID.',
  'Changes nothing. It is a POST so that the token does not appear in URL logs.':
    'Ne change rien. C’est un POST pour que le jeton ne figure pas dans les journaux d’adresses.',
  'Works once, for the email of the invitation. If the email has no account, `password` is its new password. If it has one, send the password of the account, or omit `password` in a session of the account: the session switches to the new organization. If the account has a second factor, its password does not open a session: complete it with POST session/second-factor, then accept in that session.':
    'Ne fonctionne qu’une fois, pour l’adresse e-mail de l’invitation. Si l’adresse n’a pas de compte, `password` devient son mot de passe. Si elle en a un, envoyez le mot de passe du compte, ou omettez `password` dans une session du compte : la session passe à la nouvelle organisation. Si le compte a un second facteur, son mot de passe n’ouvre pas de session : complétez par POST session/second-factor, puis acceptez dans cette session.',
  'The link comes by mail or from the operator, valid for 30 minutes or until the password changes. All sessions of the user end. An invalid token returns VALIDATION_ERROR.':
    'Le lien arrive par e-mail ou de l’exploitant du service ; il est valable 30 minutes ou jusqu’au changement du mot de passe. Toutes les sessions de l’utilisateur prennent fin. Un jeton invalide reçoit VALIDATION_ERROR.',
  '`missing` lists what is still to be completed. Until it is empty, creating an invoice returns 409 MISSING_LEGAL_MENTIONS; while `approval` is present, 409 ORGANIZATION_NOT_APPROVED. Drafts need neither.':
    '`missing` liste ce qui reste à compléter. Tant que la liste n’est pas vide, la création d’une facture reçoit 409 MISSING_LEGAL_MENTIONS ; tant qu’il y a un `approval`, 409 ORGANIZATION_NOT_APPROVED. Les brouillons n’en ont pas besoin.',
  'The name cannot be cleared. The details can be saved incomplete; `missing` lists what you need before you can invoice. After the first signed invoice or the approval, only the operator can change `name` and `ice`.':
    'La raison sociale ne peut pas être effacée. Les mentions peuvent être enregistrées incomplètes ; `missing` liste ce qu’il faut pour pouvoir facturer. Dès qu’une facture est signée ou que l’organisation est approuvée, seul l’exploitant du service modifie `name` et `ice`.',
  'Newest first, active or not. `last4` distinguishes them.':
    'Les plus récentes en tête, actives ou non. `last4` les distingue.',
  'Only a digest of the secret is stored. The owners get an email 14 and 2 days before the key expires.':
    'Seule une empreinte du secret est conservée. Les propriétaires reçoivent un e-mail 14 et 2 jours avant l’expiration de la clé.',
  'Its requests then get 401 API_KEY_INVALID, like those of an unknown key. It stays in the list and cannot be restored.':
    'Ses requêtes reçoivent ensuite 401 API_KEY_INVALID, comme celles d’une clé inconnue. Elle reste dans la liste et ne peut pas être rétablie.',
  'Members first, then invitations, each oldest first; 200 at most.':
    'Les membres d’abord, puis les invitations, les plus anciens en tête ; 200 au plus.',
  'The token is returned only once and is valid for seven days. Send the link /dashboard/invitation#TOKEN yourself: no email is sent. Inviting the same email again replaces token and role. If the email has an account, the account joins one more organization; if it is already a member, the answer is EMAIL_TAKEN.':
    'Le jeton n’est renvoyé qu’une fois et vaut sept jours. Envoyez vous-même le lien /dashboard/invitation#JETON : aucun e-mail n’est envoyé. Inviter de nouveau la même adresse remplace le jeton et le rôle. Une adresse qui a un compte reçoit une organisation de plus ; celle d’un membre donne EMAIL_TAKEN.',
  'Effective from their next request. The last OWNER keeps the role.':
    'Avec effet dès sa prochaine requête. Le dernier OWNER garde son rôle.',
  'Their sessions in this organization end with their next request; those in others stay. The invoices and API keys they created stay.':
    'Ses sessions dans cette organisation prennent fin à sa prochaine requête ; les autres restent. Les factures et les clés d’API qu’il a créées restent.',
  'A wrong current password returns VALIDATION_ERROR and counts as a failed sign-in. All other sessions of the user end; this one continues with the new cookie.':
    'Un mot de passe actuel erroné reçoit VALIDATION_ERROR et compte comme un échec de connexion. Toutes les autres sessions de l’utilisateur prennent fin ; celle-ci continue avec le nouveau cookie.',
  'Every status change of an invoice, every change to the organization, its members, accounts and API keys, every sign-in and every command of the operator, with its author and time. In a very large log a filter may need longer than a request may take: narrow it with `from` and `to`.':
    'Chaque changement de statut d’une facture, chaque modification de l’organisation, de ses membres, comptes et clés d’API, chaque connexion et chaque commande de l’exploitant, avec son auteur et son heure. Dans un très grand journal, un filtre peut demander plus de temps qu’une requête n’en a : réduisez la période avec `from` et `to`.',
  'UTF-8 with a byte order mark. Cells that a spreadsheet would read as a formula begin with an apostrophe. At most the newest 10000 entries; a last row says so if entries are left out.':
    'UTF-8 avec marque d’ordre des octets. Une cellule qu’un tableur prendrait pour une formule commence par une apostrophe. Au plus les 10 000 dernières entrées ; une dernière ligne le dit quand il en manque.',
  'The first event is `ready`, with `{at, resumed}`: read your lists after it. If `resumed` is true, missed changes follow. Then one `invoice` event for each change, with `InvoiceChange` as it is now; a change can be sent twice. A comment is sent every 15 seconds. A stream ends after 15 minutes, or with the session: reconnect with the last id. At most 20 streams per organization and gateway, 5 of them per member.':
    'Le premier événement est `ready`, avec `{at, resumed}` : lisez vos listes après lui. Si `resumed` vaut true, les changements manqués suivent. Vient ensuite un événement `invoice` par changement, avec `InvoiceChange` tel qu’il est à ce moment ; un changement peut être envoyé deux fois. Un commentaire est envoyé toutes les 15 secondes. Un flux prend fin après 15 minutes, ou avec la session : reconnectez-vous avec le dernier id. Au plus 20 flux par organisation et par passerelle, dont 5 par membre.',
  '`statuses` counts all invoices; `days` counts those created each day (Africa/Casablanca), oldest first; `clearance` and `rejections` cover the invoices decided in these days. Amounts are by currency, invoices less credit notes, and leave out what is PENDING or CANCELLED. Time to clearance runs from the signature to the decision: its median and its 95th percentile, null if nothing was decided. `certificate` is the signing certificate, null if the signer does not report it.':
    '`statuses` compte toutes les factures ; `days` celles qui ont été créées chaque jour (Africa/Casablanca), du plus ancien au plus récent ; `clearance` et `rejections` portent sur les factures décidées pendant ces jours. Les montants sont donnés par devise, factures moins avoirs, sans les documents PENDING et CANCELLED. Le délai de validation va de la signature à la décision : médiane et 95e centile, null si rien n’a été décidé. `certificate` est le certificat de signature, null si le signataire ne l’indique pas.',
  'Every step with its time, its author, the statuses before and after, and the answer of the tax authority. At most the newest 500 steps.':
    'Chaque étape avec son heure, son auteur, les statuts avant et après, et la réponse de l’administration. Au plus les 500 dernières étapes.',
}
