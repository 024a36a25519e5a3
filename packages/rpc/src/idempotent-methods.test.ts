import fs from 'node:fs'
import path from 'node:path'
import { idempotentMethods } from './idempotent-methods'

const retried = {
  Artefacts:
    'KeepSignedXml KeepFinalArtefacts KeepAuditCheckpoint ReadKeptXml ReadPdf DrawPreview ReadQr ListKeptXml ReadEvidence ReadTrust CheckArtefacts',
  Batches: 'SendIdempotentCalls',
  Invoices:
    'PreviewInvoice GetInvoice ListInvoices ReadSignedXml ListInvoiceAudit ListAuditOfInvoice ListChanges ReadOverview ReadNumbers CheckInvoices CheckEditable FindInvoice FindSignedInvoice',
  Organizations:
    'Authenticate AuthenticateKeys AuthenticateMember ListMembers ReadInvitation GetOrganization ListApiKeys ListOrganizationAudit ListSessions GetSecondFactors OfferPasskey OfferPasskeyConfirmation OfferPasskeySignIn FindIssuers CheckOrganizations ListMemberships GetEmail',
  Signer: 'SignDocument GetCertificate CheckSigner',
}

const neverRetried = {
  // Each stamp may cost money.
  Artefacts: 'TimeStampDigest TimeStampSignature AddEvidence',
  Batches: 'SendCalls',
  Invoices: 'CreateInvoice CreditInvoice UpdateInvoice CancelInvoice SignInvoice ResubmitInvoice',
  Organizations:
    'SignUp SignIn RequestEmailVerification VerifyEmail RequestPasswordReset ResetPassword ConfirmSession EndSession EndSessions EndMemberSessions ChangePassword InviteMember ChangeMemberRole RemoveMember AcceptInvitation ReplaceLegalMentions CreateApiKey RotateApiKey RevokeApiKey BeginTotp ConfirmTotp RemoveTotp RenewRecoveryCodes AddPasskey RenamePasskey RemovePasskey RequireSecondFactor CompleteSignIn SignInWithPasskey SwitchOrganization ChangeEmail CancelEmailChange SendMemberReset LeaveOrganization',
}

const protos = path.join(__dirname, '../../../proto')

/** As written in the protos, read without the generator. */
function readMethods(): { path: string; level: string | undefined }[] {
  const files = fs.readdirSync(protos).filter((name) => name.endsWith('.proto'))
  return files.flatMap((file) => {
    const text = fs.readFileSync(path.join(protos, file), 'utf8')
    const service = /^service (\w+)/m.exec(text)?.[1]
    return [...text.matchAll(/^ {2}rpc (\w+)\([^)]*\) returns \([^)]*\)(;| \{([^}]*)\})/gm)].map(
      ([, name, , options]) => ({
        path: `/einvoicing.${service}/${name}`,
        level: /option idempotency_level = (\w+);/.exec(options ?? '')?.[1],
      }),
    )
  })
}

const toPaths = (methods: Readonly<Record<string, string>>) =>
  Object.entries(methods).flatMap(([service, names]) =>
    names.split(' ').map((name) => `/einvoicing.${service}/${name}`),
  )

it('retries exactly the methods that are known to be idempotent', () => {
  expect([...idempotentMethods].sort()).toEqual(toPaths(retried).sort())
})

it('knows of every method of every service whether it is idempotent', () => {
  const known = [...toPaths(retried), ...toPaths(neverRetried)]
  expect(
    readMethods()
      .map((method) => method.path)
      .sort(),
  ).toEqual(known.sort())
})

it('finds what the protos declare', () => {
  const declared = readMethods().filter(({ level }) => level !== undefined)
  expect(declared.map((method) => method.path).sort()).toEqual([...idempotentMethods].sort())
  expect(new Set(declared.map(({ level }) => level))).toEqual(
    new Set(['NO_SIDE_EFFECTS', 'IDEMPOTENT']),
  )
})
