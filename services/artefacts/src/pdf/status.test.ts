import { originalRejectedCode } from '@einvoicing/domain/creditable'
import { extractText } from '../testdata/extract-text'
import { awaitingInvoice } from '../testdata/invoices'
import { itWith, runTool } from '../testdata/tools'
import { openFaces } from '../text/fonts'
import { drawInvoice } from './draw-invoice'

const itWithText = itWith('pdftotext')

const failed = {
  status: 'FAILED',
  dgiErrorMessage: 'It answered {"key":"k-1"}. Send it again with POST /v1/invoices/:id/resubmit.',
} as const

itWithText('a credit note that is never sent is void, and has no place for a stamp', async () => {
  const faces = openFaces()
  const sent = { type: 'CREDIT_NOTE', ...failed, dgiErrorCode: originalRejectedCode }
  const note = awaitingInvoice(sent)
  for (const environment of ['live', 'test'] as const) {
    const text = await extractText(note, { environment })
    expect(text).toContain('Avoir sans effet, non transmis')
    expect(text).toContain('Motif : La facture que cet avoir corrige a été rejetée.')
    const letters = runTool('pdftotext', ['-raw', 'FILE', '-'], await drawInvoice(note, faces))
    expect(letters.replaceAll(/\s/g, '')).toContain('SANSEFFET')
    expect(text).not.toMatch(/Échec|Cachet|resubmit|k-1/)
  }
})

itWithText.each([
  ['AUTHORITY_UNREACHABLE', 'La plateforme n’a pas pu être jointe à temps.'],
  ['AUTHORITY_BUSY', 'La plateforme, surchargée, n’a pas accepté le document à temps.'],
  ['CREDENTIALS_REFUSED', 'La plateforme n’a pas reconnu les identifiants de l’expéditeur.'],
  ['NO_VERDICT_IN_TIME', 'La plateforme n’a pas rendu de décision à temps.'],
  ['SUBMISSION_REFUSED', 'La plateforme n’a pas accepté la transmission du document.'],
  ['DOCUMENT_UNREADABLE', 'Le document signé n’a pas pu être lu pour sa transmission.'],
])('a failed transmission has one sentence in French: %s', async (dgiErrorCode, sentence) => {
  const text = await extractText(awaitingInvoice({ ...failed, dgiErrorCode }))
  expect(text).toContain('Échec de la transmission à la DGI')
  expect(text).toContain(`Motif : ${sentence}`)
  expect(text).toContain('Cachet')
  expect(text).not.toMatch(/resubmit|k-1/)
})
