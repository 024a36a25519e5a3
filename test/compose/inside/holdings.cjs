// In a container of ours: prints the names of its secrets, and all it can read that may change.
const { readFileSync, readdirSync, statSync } = require('node:fs')

const files = (folder) => {
  try {
    return readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}
const read = (file) => {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'latin1') : ''
  } catch {
    return ''
  }
}

const texts = ['/run', '/tmp', '/data', '/trust', '/token', '/etc'].flatMap(files).map(read)
const names = files('/run/secrets').map((file) => file.slice('/run/secrets/'.length))
console.log(
  JSON.stringify({ names: names.sort(), text: [read('/proc/self/environ'), ...texts].join('\n') }),
)
