import { exitCodes } from './outcome'
import { runProgram } from './program'
import { Terminal } from './terminal'

// A reader such as `head` may stop early: what is not printed must not pass for success.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.readerEnded)
})

const { stdin, stdout, stderr, env } = process

void runProgram(process.argv.slice(2), {
  env,
  stdin,
  terminal: new Terminal(stdout, stderr),
  onInterrupt: (act) => process.once('SIGINT', act),
}).then((code) => {
  process.exitCode = code
})
