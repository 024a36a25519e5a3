/** `load`: many invoices at once, within what the service allows, and what became of them. */

import { InvalidArgumentError, type Command } from 'commander'
import { Load, type LoadOptions } from '../load/load'
import { reportText } from '../load/report'
import { exitCodes } from '../outcome'
import type { Action, Run } from '../run'

export function addLoadCommand(program: Command, action: Action): void {
  program
    .command('load')
    .summary('Create many invoices, and count what becomes of them.')
    .description(
      'Create invoices that are made up, several at once, slowing down when the service says so; then wait for the verdicts and count them. For a sandbox: each of them is an invoice. Ctrl-C ends it with the count so far.',
    )
    .requiredOption('--count <n>', 'invoices', positive)
    .option('--concurrency <n>', 'requests at once', positive, 8)
    .option('--no-wait', 'do not wait for the verdicts')
    .action(action(load))
}

async function load(run: Run, options: LoadOptions): Promise<void> {
  const report = await new Load(run, options).carryOut()
  if (run.isJson) run.terminal.printJson(report)
  else run.terminal.print(reportText(report, run.terminal))
  if (report.interrupted) run.endWith(exitCodes.interrupted)
  else if (report.created < report.asked) run.endWith(exitCodes.refused)
}

function positive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1.')
}
