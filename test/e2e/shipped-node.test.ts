/**
 * Runs the built service on the Node version of our image: native code (SQLite, argon2, PKCS#11),
 * worker threads (PDF) and HTTP depend on it.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { describeWith } from '@einvoicing/servers/describe-with'
import { countSockets } from '../stack/kernel-sockets'
import { newOrganization } from '../stack/organization'
import { pdfText, qrText } from '../stack/programs'
import { backingServices, startServices } from '../stack/services'
import { shippedNode, shippedNodeVersion } from '../stack/shipped-node'
import { makeSigningToken } from '../stack/signing-token'
import type { Stack } from '../stack/stack'
import { startStandalone } from '../stack/standalone'
import { isSignatureValid } from '../stack/xml'

const missing = `(Node ${shippedNodeVersion} is missing: run npm run provision)`
const title = (what: string) =>
  `${what} on Node ${shippedNodeVersion} ${shippedNode ? '' : missing}`

/** From the key to the accepted invoice and its documents. */
async function useAll(stack: Stack) {
  const organization = await newOrganization(stack)
  const { invoices } = organization
  const made = await invoices.created({ buyerName: 'Société Générale des Eaux' })
  const accepted = await invoices.decided(made.id)
  expect(accepted.status).toBe('ACCEPTED')
  const xml = await invoices.bytes(made.id, 'xml')
  expect(isSignatureValid(xml)).toBe(true)
  expect(await pdfText(await invoices.bytes(made.id, 'pdf'))).toContain(made.invoiceNumber)
  expect(await qrText(await invoices.bytes(made.id, 'qr'))).not.toBe('')
  expect((await invoices.list()).data.content.map(({ id }) => id)).toEqual([made.id])
  const read = async () => withoutEvidence((await invoices.read(made.id)).data)
  return { id: made.id, invoices, accepted: withoutEvidence(accepted), read, xml }
}

/** Which is added whenever the time-stamp authority answers. */
function withoutEvidence(invoice: object): object {
  return { ...invoice, signatureLevel: undefined, timeStampedAt: undefined }
}

;(shippedNode ? test : test.skip)(title('`make test` starts Jest'), () => {
  const root = path.join(__dirname, '..', '..')
  const script = readFileSync(path.join(root, 'test', 'all.sh'), 'utf8')
  const [lines = ''] = /(?<=^echo "# jest.*\n)[^]*jest\.js "\$@"$/m.exec(script) ?? []
  const { PATH } = process.env
  const env = { ...process.env, PATH: `${path.dirname(shippedNode ?? '')}:${PATH}` }
  const options = { cwd: root, env, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync('bash', ['-c', lines, 'bash', '--version'], options)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^30\./)
})
;(shippedNode ? describe : describe.skip)(title('the service'), () => {
  const node = shippedNode ? { node: shippedNode } : {}

  test('listens with several sockets on its port, which no second process gets', async () => {
    const service = await startStandalone(node)
    try {
      const { port } = new URL(service.baseUrl)
      expect(countSockets('LISTEN', { port: Number(port) })).toBe(16)
      const second = startStandalone({ ...node, env: { PORT: port } })
      await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use by another process`)
      expect((await service.stop()).code).toBe(0)
      expect(countSockets('LISTEN', { port: Number(port) })).toBe(0)
    } finally {
      await service.dispose()
    }
  }, 120_000)

  describeWith('softhsm', 'as one process, with SQLite and a PKCS#11 token', () => {
    test('works, and its data can be opened by the Node.js that runs the tests', async () => {
      const token = await makeSigningToken()
      const service = await startStandalone({
        wire: 'grpc',
        env: { ...token.settings, SIMULATOR_TRUSTED_CERTIFICATES: token.authorityFile },
        ...node,
      })
      try {
        expect(readlinkSync(`/proc/${service.pid()}/exe`)).toBe(shippedNode)
        const { id, invoices, accepted, read, xml } = await useAll(service)
        await service.kill9()
        await service.restart()
        expect(await read()).toEqual(accepted)
        expect((await service.stop()).code).toBe(0)
        await service.restart({}, process.execPath)
        expect(await read()).toEqual(accepted)
        expect((await invoices.bytes(id, 'xml')).equals(xml)).toBe(true)
      } finally {
        await service.dispose()
        await token.dispose()
      }
    }, 180_000)
  })

  describeWith(backingServices, 'as services on MongoDB, NATS, S3, Redis and a token', () => {
    test('serves with the shipped Node and stops with 0', async () => {
      const services = await startServices(node)
      try {
        const pid = await services.pidOf('invoices')
        expect(readlinkSync(`/proc/${pid}/exe`)).toBe(shippedNode)
        await useAll(services)
        expect((await services.stop()).code).toBe(0)
      } finally {
        await services.dispose()
      }
    }, 180_000)
  })
})
