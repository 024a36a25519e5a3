// Prints what a page says that is asked for from inside.
const { get } = require('node:http')

get(process.env.PROBE, (answer) => answer.pipe(process.stdout))
