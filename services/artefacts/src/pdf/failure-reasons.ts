import { originalRejectedCode } from '@einvoicing/domain/creditable'
import type { FailureCode } from '@einvoicing/domain/failure-codes'
import type { Invoice } from '@einvoicing/proto/invoice'

const reasons: Readonly<Record<string, string>> = {
  AUTHORITY_UNREACHABLE: 'La plateforme n’a pas pu être jointe à temps.',
  AUTHORITY_BUSY: 'La plateforme, surchargée, n’a pas accepté le document à temps.',
  CREDENTIALS_REFUSED: 'La plateforme n’a pas reconnu les identifiants de l’expéditeur.',
  NO_VERDICT_IN_TIME: 'La plateforme n’a pas rendu de décision à temps.',
  SUBMISSION_REFUSED: 'La plateforme n’a pas accepté la transmission du document.',
  DOCUMENT_UNREADABLE: 'Le document signé n’a pas pu être lu pour sa transmission.',
  [originalRejectedCode]: 'La facture que cet avoir corrige a été rejetée.',
} satisfies Record<FailureCode | typeof originalRejectedCode, string>

/** For the buyer: the stored message is in English, for the seller. */
export function findFailureReason({ dgiErrorCode, dgiErrorMessage }: Invoice): string | undefined {
  return reasons[dgiErrorCode ?? ''] ?? dgiErrorMessage
}
