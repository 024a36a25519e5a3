import { existsSync } from 'node:fs'
import { Option, type Command } from 'commander'
import type { ArtefactKind, SignatureLevel } from '@einvoicing/client'
import { UsageError } from '../outcome'
import type { Action, Run } from '../run'
import { escapeControls } from '../terminal'
import { findInvoiceId, invoiceArgument } from '../find-invoice'

const kinds: Record<ArtefactKind, string> = {
  pdf: 'Download the PDF.',
  xml: 'Download the signed XML, the legal original.',
  qr: 'Download the QR code image, available once the invoice is ACCEPTED.',
}

export function addArtefactCommands(program: Command, action: Action): void {
  for (const [kind, description] of Object.entries(kinds)) {
    const command = program.command(kind).description(description).addArgument(invoiceArgument())
    if (kind === 'xml') {
      command.addOption(
        new Option(
          '--level <level>',
          'with time stamps and other evidence, of at least this level of XAdES',
        ).choices(['T', 'LT', 'LTA']),
      )
    }
    command
      .option(
        '-o, --output <file>',
        'output file; "-" for standard output. Default: the name suggested by the service, unless the file exists',
      )
      .action(
        action((run: Run, which: string, { output, level }: Given) =>
          download(run, { which, kind: kind as ArtefactKind, output, level }),
        ),
      )
  }
}

interface Given {
  output?: string
  level?: SignatureLevel
}

interface Download {
  which: string
  kind: ArtefactKind
  output: string | undefined
  level: SignatureLevel | undefined
}

async function download(run: Run, { which, kind, output, level }: Download): Promise<void> {
  const client = run.connect()
  const id = await findInvoiceId(client, which)
  if (output === '-') {
    await run.terminal.printBytes((await client.download(id, kind, { level })).bytes)
    return
  }
  const saved = await client.save(id, kind, { level, file: output ?? freeName })
  if (run.isJson) run.terminal.printJson(saved)
  else run.terminal.print(escapeControls(saved.file))
}

function freeName(fileName: string): string {
  if (!existsSync(fileName)) return fileName
  throw new UsageError(
    `${fileName} already exists. Use -o FILE to overwrite or choose another name.`,
  )
}
