/**
 * `npm run audit`: whether an advisory is open on anything that runs in production. A finding of any severity is status 1.
 *
 * Where the registry does not answer the question, or cannot be reached, nothing was audited: the last line says so, and
 * the status is 75 (EX_TEMPFAIL). `make test` goes on and repeats that line at its end: a build in a closed network must
 * not fail for it, nor pass for audited.
 */

const { spawnSync } = require('node:child_process')
const { root, workspaceFlags } = require('./production')

const notDoneStatus = 75
// What mirrors answer that have no advisories.
const unasked = [404, 405, 501]
const unreached =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/

function main() {
  const words = ['audit', '--omit=dev', '--json', '--package-lock-only', ...workspaceFlags()]
  const { stdout, stderr } = spawnSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const answer = parsed(stdout)
  if (answer?.auditReportVersion !== undefined) return printReport(answer)
  const reason = answer?.message ?? answer?.error?.summary ?? ''
  const why = `${reason}\n${answer?.error?.code ?? ''}\n${stderr}`
  if (unasked.includes(answer?.statusCode))
    return notDone(`the registry answers ${answer.statusCode}`)
  const [, code] = unreached.exec(why) ?? []
  if (code !== undefined) return notDone(`the registry cannot be reached (${code})`)
  process.stdout.write(`the audit failed: ${reason || stderr}\n`)
  return 1
}

function printReport({ vulnerabilities, metadata }) {
  const found = Object.values(vulnerabilities)
  for (const { name, severity, range, via } of found) {
    const titles = via.map((one) =>
      typeof one === 'string' ? `by ${one}` : `${one.title} (${one.url})`,
    )
    process.stdout.write(`${name} ${range || '*'}: ${severity}: ${titles.join('; ')}\n`)
  }
  process.stdout.write(
    `audited: ${metadata.dependencies.total} packages, ${found.length} with an open advisory\n`,
  )
  return found.length === 0 ? 0 : 1
}

function notDone(reason) {
  process.stdout.write(
    `not done: npm run audit (${reason}); run it where the registry answers for advisories\n`,
  )
  return notDoneStatus
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

process.exitCode = main()
