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
      'Verify a signed XML on this machine: which digest or signature differs, who signed, when, at what level. Needs no key and asks nobody.',
    )
    .argument('<file>', 'the signed XML; "-" is standard input')
    .option('--trusted <file>', 'PEM file of the authorities that may vouch for the signer')
    .action(action(verify))
}

async function verify(run: Run, file: string, { trusted }: { trusted?: string }): Promise<void> {
  const anchors = trusted === undefined ? undefined : await readTrusted(trusted)
  const bytes = await readInput(run, file)
  const report = verifyInvoice(bytes, anchors)
  if (run.isJson) run.terminal.printJson({ file, ...report })
  else run.terminal.print(reportText(report, run.terminal))
  if (!report.valid) run.endWith(exitCodes.refused)
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
  const { signer, signingTime, level, trusted } = report
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
  ]
  const told = factLines(facts, terminal)
  const end = conclusion(report.valid, trusted, terminal)
  return [...checks, ...(told.length > 0 ? ['', ...told] : []), '', end].join('\n')
}

function conclusion(valid: boolean, trusted: boolean | null, terminal: Terminal): string {
  if (!valid) return terminal.styled('red', 'NOT VALID')
  if (trusted === true) return terminal.styled('green', 'VALID, and the signer is vouched for')
  const untrusted = 'nobody was asked to vouch for the signer: --trusted FILE.pem'
  return `${terminal.styled('green', 'VALID')} in itself; ${untrusted}`
}
