import { readOriginal } from './read-original'

const duty = 'Droit de timbre (0,25 %) : 3.00 MAD - Net à payer en espèces : 1203.00 MAD'
const withheld =
  'TVA retenue à la source (75 %) : 150.00 MAD - Net à payer après retenue : 1050.00 MAD'

const read = (...notes: string[]) => readOriginal(Buffer.from(write(notes)))
const write = (notes: readonly string[]) => `
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">
<UBLExtensions><UBLExtension><ExtensionContent><UBLDocumentSignatures><SignatureInformation>
<Signature><Object><QualifyingProperties><SignedProperties><SignedSignatureProperties>
<SigningTime>2026-11-21T10:00:00Z</SigningTime>
</SignedSignatureProperties></SignedProperties></QualifyingProperties></Object></Signature>
</SignatureInformation></UBLDocumentSignatures></ExtensionContent></UBLExtension></UBLExtensions>
<ID>F-1</ID><IssueDate>2026-11-21</IssueDate><InvoiceTypeCode>380</InvoiceTypeCode>
${notes.map((note) => `<Note>${note}</Note>`).join('')}
<DocumentCurrencyCode>MAD</DocumentCurrencyCode>
<AccountingSupplierParty><Party /></AccountingSupplierParty>
<AccountingCustomerParty><Party><PartyLegalEntity><RegistrationName>Rif</RegistrationName>
</PartyLegalEntity></Party></AccountingCustomerParty>
<PaymentMeans><PaymentMeansCode>10</PaymentMeansCode></PaymentMeans>
<TaxTotal><TaxAmount>200.00</TaxAmount></TaxTotal>
<LegalMonetaryTotal><TaxExclusiveAmount>1000.00</TaxExclusiveAmount>
<PayableAmount>1200.00</PayableAmount></LegalMonetaryTotal>
<InvoiceLine><ID>1</ID><InvoicedQuantity unitCode="C62">1</InvoicedQuantity>
<LineExtensionAmount>1000.00</LineExtensionAmount><Item><Name>a</Name><ClassifiedTaxCategory>
<ID>S</ID><Percent>20</Percent></ClassifiedTaxCategory></Item>
<Price><PriceAmount>1000</PriceAmount></Price></InvoiceLine>
</Invoice>`

const readCredit = (...notes: string[]) => {
  const credit = write(notes).replaceAll('Invoiced', 'Credited').replace('>380<', '>381<')
  return readOriginal(Buffer.from(credit.replaceAll('Invoice', 'CreditNote')))
}

test.each([
  ['today', withheld.replace('à payer', 'à créditer')],
  ['before', withheld],
])('withheld VAT is read from a credit note as it is written %s', (_, note) => {
  const found = readCredit('Merci', "Motif de l'avoir : Retour", note)
  expect(found).toMatchObject({ note: 'Merci', vatWithholdingPercent: 75 })
})

test('notes that the amounts explain are stamp duty and withheld VAT, in both wordings', () => {
  const found = { note: 'Merci', stampDuty: true, vatWithholdingPercent: 75, stampDutyAmount: 300 }
  expect(read('Merci', duty, withheld)).toMatchObject(found)
  const [dutyAlone] = duty.split(' - ')
  const net = withheld.replace('après retenue : 1050', 'en espèces après retenue : 1053')
  expect(read('Merci', dutyAlone!, net)).toMatchObject(found)
})

test.each([
  ['duty', duty.replace('3.00', '4.00')],
  ['withheld VAT', withheld.replace('75', '100')],
])('a note of the client that is written like %s stays one', (_, note) => {
  const found = read(note)
  expect(found.note).toBe(note)
  expect([found.stampDuty, found.vatWithholdingPercent]).toEqual([undefined, undefined])
  expect([found.stampDutyAmount, found.vatWithheldAmount]).toEqual([undefined, undefined])
  expect(read(note, duty)).toMatchObject({ note, stampDuty: true })
})

test('no note is lost', () => {
  expect(() => read('Merci', duty.replace('3.00', '4.00'))).toThrow(
    'the document has notes that its amounts do not explain',
  )
})
