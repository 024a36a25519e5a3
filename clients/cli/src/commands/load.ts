import { InvalidArgumentError, type Command } from 'commander'
import { Load, type LoadOptions } from '../load/load'
import { reportText } from '../load/report'
import { exitCodes } from '../outcome'
import type { Action, Run } from '../run'

export function addLoadCommand(program: Command, action: Action): void {
  program
    .command('load')
    .summary('Create many random test invoices and count their results.')
    .description(
      'Create random test invoices in parallel, within the rate limit; then wait for the decisions and count them. Use it only with a sandbox: each one is stored there and cannot be deleted. Ctrl-C stops and prints the counts so far.',
    )
    .requiredOption('--count <n>', 'number of invoices', positive)
    .option('--concurrency <n>', 'parallel requests', positive, 8)
    .option('--no-wait', 'do not wait for the decisions')
    .action(action(load))
}

async function load(run: Run, options: LoadOptions): Promise<void> {
  const testing = new Load(run, options)
  const report = await testing.run()
  if (run.isJson) run.terminal.printJson(report)
  else run.terminal.print(reportText(report, run.terminal))
  if (report.interrupted) {
    run.endWith(exitCodes.interrupted)
    return
  }
  const isWhole = report.created >= report.asked
  const failure = (isWhole ? undefined : testing.creationFailure) ?? testing.countingFailure
  if (failure) throw failure
  if (!isWhole) run.endWith(exitCodes.refused)
}

function positive(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number, at least 1.')
}
