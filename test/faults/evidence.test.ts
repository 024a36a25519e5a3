/**
 * kill -9 while evidence is added: every signature gets it, once, and the original never changes.
 */

import { promises as fs } from 'node:fs'
import path from 'node:path'
import { X509Certificate } from 'node:crypto'
import { verifyInvoice } from '@einvoicing/verification/verify/report'
import { eventually } from '@einvoicing/servers/eventually'
import { send } from '../stack/http'
import { newOrganization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { startStandalone } from '../stack/standalone'
import { createUnderLoad } from './load'
import { listAll } from './record'

const rounds = 5
const seed = drawSeed('evidence')

test(`is complete after ${rounds} kills, and written once (SEED=${seed})`, async () => {
  const random = seededRandom(seed)
  const stack = await startStandalone({ env: { SANDBOX_CRL_SECONDS: '1' } })
  try {
    const { invoices, key: apiKey } = await newOrganization(stack)
    const originals = new Map<string, Buffer>()
    const read = (id: string, query = '') =>
      send('GET', `${stack.baseUrl}/v1/invoices/${id}/xml${query}`, { key: apiKey.key })
    for (let round = 0; round < rounds; round += 1) {
      const load = createUnderLoad(invoices, { random, pauseMs: 200 })
      // Stamps come after a moment, evidence a second later.
      await new Promise((resolve) => setTimeout(resolve, random.int(200, 2_500)))
      await stack.kill9()
      await load.done
      await stack.restart()
      for (const { id } of load.acknowledged) originals.set(id, (await read(id)).bytes)
    }
    const roots = await Promise.all(
      ['signer/trusted-certificate.pem', 'simulator/tsa-root.pem'].map((file) =>
        fs.readFile(path.join(stack.dataDir, file)),
      ),
    )
    const [signer, authority] = roots.map((pem) => new X509Certificate(pem))
    const trust = { signers: [signer!], timeStamps: [authority!] }
    const all = await listAll(invoices)
    expect(all.length).toBeGreaterThan(rounds * 3)
    for (const { id } of all) {
      const { bytes } = await eventually(async () => {
        const answer = await read(id, '?level=LTA')
        expect(answer.status).toBe(200)
        return answer
      }, 90_000)
      expect(verifyInvoice(bytes, trust)).toMatchObject({ valid: true, level: 'XAdES-B-LTA' })
      const original = originals.get(id)
      if (original) expect((await read(id)).bytes.equals(original)).toBe(true)
    }
    const files = await fs.readdir(path.join(stack.dataDir, 'artefacts'), { recursive: true })
    // A killed process leaves what it was about to store under `.incoming`.
    const stored = files.filter((file) => !file.startsWith('.incoming'))
    const names = new Set(
      stored.flatMap((file) => /[\da-f-]{36}\/signed-[^/]+\.xml$/.exec(file)?.[0] ?? []),
    )
    expect([...names].sort()).toEqual(all.map(({ id }) => `${id}/signed-lta-1.xml`).sort())
  } finally {
    await stack.dispose()
  }
}, 240_000)
