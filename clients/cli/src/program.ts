/** The commands and what they take; a run ends with an exit code, never by itself. */

import { Command, CommanderError } from 'commander'
import type { EinvoicingError } from '@einvoicing/client'
import { addArtefactCommands } from './commands/artefacts'
import { addChangeCommands } from './commands/changes'
import { addCreateCommand } from './commands/create'
import { addListCommand } from './commands/list'
import { addLoadCommand } from './commands/load'
import { addReadCommands } from './commands/read'
import { addVerifyCommand } from './commands/verify'
import { exitCodes, Interrupted, tellError, type ExitCode } from './outcome'
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
    terminal.showProgress(`${code}: trying again in ${Math.ceil(pauseMs / 1_000)} s…`)
  describe(program, terminal)
  for (const add of commands) add(program, action)
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    const isJson = program.opts<GlobalOptions>().json ?? false
    return tellError(signal.aborted ? signal.reason : error, terminal, isJson)
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
  addVerifyCommand,
  addLoadCommand,
]

function describe(program: Command, terminal: Terminal): void {
  program
    .description('Invoices of one organization of the Electronic Invoicing Service.')
    .option('--json', 'answer in JSON, one object a line; errors too, on standard error')
    .option('--url <address>', `address of the service (EINVOICING_URL, else ${defaultUrl})`)
    .option('--key-file <file>', 'file that holds the API key')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help tells more)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.tell(withoutKeys(text).trimEnd()),
    })
    .addHelpText('after', epilogue)
}

const epilogue = `
The API key is read from --key-file, else EINVOICING_API_KEY, else the file that
EINVOICING_API_KEY_FILE names; it is never an argument, where others could see it.

It ends with 0 when done; 1 refused, rejected, or not valid; 2 wrong usage or files;
3 no answer for now (unreachable, unavailable, too many requests); 4 open: it may
have been done, or there is no verdict yet; 130 interrupted.`
