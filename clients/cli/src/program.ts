import { Command, CommanderError } from 'commander'
import type { EinvoicingError } from '@einvoicing/client'
import { addArtefactCommands } from './commands/artefacts'
import { addChangeCommands } from './commands/changes'
import { addCreateCommand } from './commands/create'
import { addCreditNoteCommand } from './commands/credit-note'
import { addListCommand } from './commands/list'
import { addLoadCommand } from './commands/load'
import { addReadCommands } from './commands/read'
import { addVerifyCommand } from './commands/verify'
import { exitCodes, Interrupted, printError, UsageError, type ExitCode } from './outcome'
import type { Action, Surroundings } from './run'
import { defaultUrl, openClient, type ConnectionOptions } from './settings'
import { withoutKeys, type Terminal } from './terminal'

interface GlobalOptions extends ConnectionOptions {
  json?: boolean
}

export async function runProgram(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, env } = surroundings
  let code: ExitCode = exitCodes.done
  const interrupt = new AbortController()
  surroundings.onInterrupt(() => interrupt.abort(new Interrupted()))
  const { signal } = interrupt
  const program = new Command('einvoicing')
  const action: Action =
    (act) =>
    (...rest) => {
      const options = program.opts<GlobalOptions>()
      return act(
        {
          ...surroundings,
          isJson: options.json ?? false,
          interrupted: signal,
          connect: (others) => openClient(options, env, { signal, onPause, ...others }),
          endWith: (other) => (code = other),
        },
        ...rest,
      )
    }
  const onPause = ({ code }: EinvoicingError, pauseMs: number) =>
    terminal.showProgress(`${code}: retrying in ${Math.ceil(pauseMs / 1_000)} s…`)
  // An error in the arguments may be found before this one is read.
  const isJson = args.includes('--json')
  describe(program, terminal, isJson)
  for (const add of commands) add(program, action)
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done
      if (!isJson || error.code === 'commander.help') return exitCodes.usage
      return printError(new UsageError(error.message.replace(/^error: /, '')), terminal, isJson)
    }
    return printError(signal.aborted ? signal.reason : error, terminal, isJson)
  } finally {
    terminal.showProgress('')
  }
}

const commands = [
  addCreateCommand,
  addReadCommands,
  addListCommand,
  addArtefactCommands,
  addChangeCommands,
  addCreditNoteCommand,
  addVerifyCommand,
  addLoadCommand,
]

function describe(program: Command, terminal: Terminal, isJson: boolean): void {
  program
    .description('Manage the invoices of one organization in the Electronic Invoicing Service.')
    .option('--json', 'print JSON, one object per line; errors too, on standard error')
    .option('--url <address>', `URL of the service (default: EINVOICING_URL, else ${defaultUrl})`)
    .option('--key-file <file>', 'file that contains the API key')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(isJson ? false : '(see --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printMessage(withoutKeys(text).trimEnd()),
      ...(isJson && { outputError: () => undefined }),
    })
    .addHelpText('after', epilogue)
}

const epilogue = `
The API key is read from --key-file, else from EINVOICING_API_KEY, else from the file
named by EINVOICING_API_KEY_FILE. It is never an argument: other users could see it.

Exit status: 0 success; 1 error from the service, or an invoice that is rejected or
not valid; 2 wrong usage or files; 3 temporary failure (unreachable, unavailable, too
many requests); 4 unknown: the request may have succeeded, there is no decision yet,
or the signer was not verified; 130 interrupted; 141 the reader of the output ended.`
