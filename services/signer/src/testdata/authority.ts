import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TestAuthority {
  file: (name: string) => string
  /** From a request in one file, a certificate in another; `days` may be past. */
  issue: (issuing: { request: string; by: 'root' | 'mid'; out: string; days: number }) => void
  /** One file of several. */
  join: (out: string, ...names: string[]) => Promise<string>
}

export const openssl = (words: readonly string[]): string =>
  execFileSync('openssl', words, { encoding: 'utf8', stdio: 'pipe' })

/** Its certificates are `root.pem` and `mid.pem`. */
export async function makeTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'authority-'))
  const file = (name: string) => path.join(folder, name)
  const certify = (words: readonly string[], { by, days }: { by: string; days: number }) => {
    const authority = ['-CA', file(`${by}.pem`), '-CAkey', file(`${by}.key`), '-CAcreateserial']
    openssl(['x509', '-req', ...words, ...authority, '-days', String(days)])
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const rootFiles = ['-keyout', file('root.key'), '-out', file('root.pem')]
  openssl(['req', '-x509', ...newKey, ...rootFiles, '-subj', '/CN=Root', '-days', '900'])
  const midFiles = ['-keyout', file('mid.key'), '-out', file('mid.csr')]
  openssl(['req', ...newKey, ...midFiles, '-subj', '/CN=Intermediate'])
  await writeFile(file('ca.ext'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n')
  const midWords = ['-in', file('mid.csr'), '-out', file('mid.pem'), '-extfile', file('ca.ext')]
  certify(midWords, { by: 'root', days: 800 })
  return {
    file,
    issue: ({ request, out, ...how }) => certify(['-in', file(request), '-out', file(out)], how),
    async join(out, ...names) {
      const texts = await Promise.all(names.map((name) => readFile(file(name), 'utf8')))
      await writeFile(file(out), texts.join(''))
      return file(out)
    },
  }
}
