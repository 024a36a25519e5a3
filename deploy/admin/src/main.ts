import { runProgram } from './program'

void runProgram(process.argv.slice(2), process.env).then((status) => process.exit(status))
