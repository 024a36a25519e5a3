/** `verify`: a signed invoice judged on this machine alone. */

import { readFile } from 'node:fs/promises'
import type { X509Certificate } from 'node:crypto'
import type { Command } from 'commander'
import { readInput } from '../input'
import { exitCodes, UsageError } from '../outcome'
import type { Action, Run } from '../run'
import { factLines, type Fact } from '../table'
import { plain, type Terminal } from '../terminal'
import { verifyInvoice, type Report } from '../verify/report'
import { readPem } from '../verify/signer'

export function addVerifyCommand(program: Command, action: Action): void {
  program
    .command('verify')
    .summary('Verify a signed XML on this machine: which part differs, who signed, when.')
    .description(
      'Verify a signed XML on this machine: which digest or signature differs, who signed, when, at what level. Needs no key and asks nobody. Ends with 0 for VALID, which needs --trusted; 1 for NOT VALID; 4 where the signature is intact and the signer was not checked.',
    )
    .argument('<file>', 'the signed XML; "-" is standard input')
    .option('--trusted <file>', 'PEM file of the authorities that may vouch for the signer')
    .action(action(verify))
}

// The service's own documents come from bodies of 2 MiB, and XML grows them fivefold.
const bytesMax = 32 * 1024 * 1024

async function verify(run: Run, file: string, { trusted }: { trusted?: string }): Promise<void> {
  const anchors = trusted === undefined ? undefined : await readTrusted(trusted)
  const bytes = await readInput(run, file, bytesMax)
  const report = verifyInvoice(bytes, anchors)
  if (run.isJson) run.terminal.printJson({ file, ...report })
  else run.terminal.print(reportText(report, run.terminal))
  if (!report.valid) run.endWith(report.intact ? exitCodes.open : exitCodes.refused)
}

async function readTrusted(file: string): Promise<X509Certificate[]> {
  const pem = await readFile(file, 'utf8')
  try {
    const certificates = readPem(pem)
    if (certificates.length > 0) return certificates
  } catch (cause) {
    throw new UsageError(`${file} holds a certificate that cannot be read.`, { cause })
  }
  throw new UsageError(`${file} holds no certificate in PEM.`)
}

function reportText(report: Report, terminal: Terminal): string {
  const { signer, signingTime, level, notChecked } = report
  const checks = report.checks.map(({ name, ok, fault }) => {
    const mark = ok ? terminal.styled('green', 'ok  ') : terminal.styled('red', 'FAIL')
    return `${mark} ${name}${fault === undefined ? '' : `: ${plain(fault)}`}`
  })
  const facts: Fact[] = [
    ['invoice', report.invoiceNumber],
    ['signed by', signer?.subject],
    ['issued by', signer?.issuer],
    ['valid', signer && `${signer.validFrom} to ${signer.validTo}`],
    ['signed at', signingTime && `${signingTime} (as the signer says)`],
    ['level', level],
    ['unchecked', notChecked.join(', ')],
  ]
  const told = factLines(facts, terminal)
  const end = conclusion(report, terminal)
  return [...checks, '', ...told, '', end].join('\n')
}

function conclusion({ valid, intact }: Report, terminal: Terminal): string {
  if (valid) return terminal.styled('green', 'VALID, and the signer is vouched for')
  if (!intact) return terminal.styled('red', 'NOT VALID')
  return `${terminal.styled('yellow', 'SIGNATURE INTACT, SIGNER NOT CHECKED')}: anybody may have signed it; pass --trusted FILE.pem`
}
