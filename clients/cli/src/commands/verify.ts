import { readFile } from 'node:fs/promises'
import type { X509Certificate } from 'node:crypto'
import type { Command } from 'commander'
import { readInput } from '../input'
import { exitCodes, UsageError } from '../outcome'
import type { Action, Run } from '../run'
import { formatProperties, type Property } from '../table'
import { escapeControls, type Terminal } from '../terminal'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { verifyInvoice, type Report } from '@einvoicing/verification/verify/report'

export function addVerifyCommand(program: Command, action: Action): void {
  program
    .command('verify')
    .summary('Verify a signed XML file offline: which part differs, who signed, when.')
    .description(
      'Verify a signed XML file offline: which digest or signature differs, who signed, when, and at which level. Needs no API key. Exits with 0 for VALID, which requires --trusted; 1 for NOT VALID; 4 if the signature is intact but the signer was not verified.',
    )
    .argument('<file>', 'the signed XML file; "-" for standard input')
    .option('--trusted <file>', 'PEM file with the trusted certificate authorities')
    .option(
      '--trusted-time-stamps <file>',
      'PEM file with the authorities trusted for time stamps alone. Default: the file of --trusted',
    )
    .action(action(verify))
}

// The service's own documents come from bodies of 2 MiB, which XML makes up to five times larger.
const bytesMax = 32 * 1024 * 1024

interface Given {
  trusted?: string
  trustedTimeStamps?: string
}

async function verify(run: Run, file: string, given: Given): Promise<void> {
  const signers = await readTrusted(given.trusted)
  const { trustedTimeStamps } = given
  const trust = {
    signers,
    timeStamps: trustedTimeStamps === undefined ? signers : await readTrusted(trustedTimeStamps),
  }
  const bytes = await readInput(run, file, bytesMax)
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') {
    throw new UsageError(
      `${file} is a PDF. verify takes the signed XML, the legal original: einvoicing xml INVOICE`,
    )
  }
  const report = verifyInvoice(bytes, trust)
  if (run.isJson) run.terminal.printJson({ file, ...withFormerFields(report) })
  else run.terminal.print(reportText(report, run.terminal))
  if (!report.valid) run.endWith(report.intact ? exitCodes.unknown : exitCodes.refused)
}

/** Scripts read these two. */
function withFormerFields(report: Report) {
  const { invoice, signer } = report
  return {
    ...report,
    invoiceNumber: invoice?.invoiceNumber ?? null,
    trusted: signer?.trusted ?? null,
  }
}

async function readTrusted(file: string | undefined): Promise<X509Certificate[] | undefined> {
  if (file === undefined) return undefined
  const pem = await readFile(file, 'utf8')
  try {
    const certificates = readPemCertificates(pem)
    if (certificates.length > 0) return certificates
  } catch (cause) {
    throw new UsageError(`${file} contains a certificate that cannot be read.`, { cause })
  }
  throw new UsageError(`${file} contains no PEM certificate.`)
}

function reportText(report: Report, terminal: Terminal): string {
  const { signer, signingTime, level, notChecked, provenAt, standsUntil, invoice } = report
  const checks = report.checks.map(({ name, ok, fault: problem }) => {
    const mark = ok ? terminal.styled('green', 'ok  ') : terminal.styled('red', 'FAIL')
    return `${mark} ${name}${problem === undefined ? '' : `: ${escapeControls(problem)}`}`
  })
  const properties: Property[] = [
    ['invoice', invoice?.invoiceNumber],
    ['signed by', signer?.subject],
    ['issued by', signer?.issuer],
    ['valid', signer && `${signer.validFrom} to ${signer.validTo}`],
    ['signed at', signingTime && `${signingTime} (stated by the signer)`],
    ...report.timeStamps.map(({ time, authority }): Property => [
      'stamped at',
      time && `${time} by ${authority}`,
    ]),
    ['proven at', provenAt],
    ['level', level],
    ['proof ends', standsUntil],
    ['unchecked', notChecked.join(', ')],
  ]
  const lines = formatProperties(properties, terminal)
  const end = conclusion(report, terminal)
  return [...checks, '', ...lines, '', end].join('\n')
}

function conclusion({ valid, intact }: Report, terminal: Terminal): string {
  if (valid) return terminal.styled('green', 'VALID, signed by a trusted signer')
  if (!intact) return terminal.styled('red', 'NOT VALID')
  return `${terminal.styled('yellow', 'SIGNATURE INTACT, SIGNER NOT VERIFIED')}: anyone may have signed it; add --trusted FILE.pem`
}
