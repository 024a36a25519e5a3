/**
 * A process in the simulator's place: leaves its id in its data folder, takes a while to be ready,
 * and ends when its parent lets go.
 */

const fs = require('node:fs')
const path = require('node:path')
const { setTimeout } = require('node:timers')

const startMs = 300
fs.appendFileSync(path.join(process.env.SIMULATOR_DATA_DIR, 'ids'), `${process.pid}\n`)
process.once('disconnect', () => process.exit(0))
setTimeout(() => process.connected && process.send({ ready: true }), startMs)
