// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { writeTime } from '../der'
import { signatureTimeStampInput } from '../evidence'
import { readSignedParts } from '../signature-form'
import {
  addAll,
  archive,
  makeKeys,
  now,
  renew,
  signBy,
  signers,
  stampedAt,
  TestAuthority,
  type Added,
} from '../testdata/long-term'
import { verifyInvoice } from './report'
import { checkRevocation } from './revocation'

const dayMs = 86_400_000
const wrongIssuer = 'revocation: the signature of a revocation list does not match its issuer'
const renewedAt = new Date('2028-05-04T12:00:00Z')

function problems(document: Buffer, authorities: readonly TestAuthority[], at: Date): string[] {
  const timeStamps = authorities.map(({ root }) => root)
  return verifyInvoice(document, { signers, timeStamps }, at).checks.flatMap(
    ({ name, fault: problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]),
  )
}

describe('a document renewed by another authority', () => {
  let first: TestAuthority
  beforeAll(async () => {
    first = await TestAuthority.make({ notAfter: new Date('2029-01-01') })
  })
  const renewedBy = async (second: TestAuthority) =>
    renew(await archive(first), { first, second, time: renewedAt })

  test.each(['2026-01-01', '2027-06-01'])('whose root begins on %s is valid', async (begin) => {
    const second = await TestAuthority.make({ name: 'second', notBefore: new Date(begin) })
    const document = await renewedBy(second)
    expect(problems(document, [first, second], renewedAt)).toEqual([])
    // After the end of the first.
    expect(problems(document, [first, second], new Date('2035-01-01'))).toEqual([])
  })

  test('is not valid without trust in that authority', async () => {
    const second = await TestAuthority.make({ name: 'second', notBefore: new Date('2027-06-01') })
    expect(problems(await renewedBy(second), [first], renewedAt)).toContain(wrongIssuer)
  })

  test('has no older data of an authority that began later', async () => {
    const second = await TestAuthority.make({ name: 'second', notBefore: new Date('2027-06-01') })
    const { root } = second
    const early = await archive(first, { certificates: [root.raw], crls: [await second.list()] })
    const document = await renew(early, { first, second, time: renewedAt })
    expect(problems(document, [first, second], renewedAt)).toEqual([wrongIssuer])
  })
})

describe('the certificate of the signature', () => {
  let authority: TestAuthority
  beforeAll(async () => {
    authority = await TestAuthority.make()
  })
  const check = async (revocationDate: Date, thisUpdate = now) => {
    const signer = authority.stamper
    const entry = { serialNumber: signer.serialNumber, revocationDate }
    const stamper = await TestAuthority.make({ name: 'other' })
    const lists = [await authority.list(thisUpdate, [entry]), await stamper.list()]
    return checkRevocation({
      evidence: [
        { evidence: { kind: 'revocationData', crls: lists, ocspResponses: [] }, text: '' },
      ],
      stamps: [
        {
          check: { name: 'timeStamp', ok: true },
          shown: { kind: 'SIGNATURE', time: null, authority: null, trusted: true, ok: true },
          proof: { time: stampedAt, certificate: stamper.stamper, links: [] },
        },
      ],
      certificates: [signer],
      signers: [authority.root],
      timeStamps: [stamper.root],
      now,
    })
  }

  test('may be revoked after the time stamp', async () => {
    expect(await check(new Date(+stampedAt + 1_000))).toMatchObject({ ok: true })
  })

  test('was not revoked at the time stamp', async () => {
    for (const revokedAt of [stampedAt, new Date(+stampedAt - dayMs)]) {
      const stated = `revoked on ${revokedAt.toISOString()}: the certificate of the signature`
      expect(Object.values((await check(revokedAt)) ?? {})).toContain(stated)
    }
  })

  test('needs a list from after the time stamp all the same', async () => {
    const before = new Date(+stampedAt - dayMs)
    expect(await check(new Date(+stampedAt + dayMs), before)).toMatchObject({ ok: false })
  })
})

const revoked = (at: Date) => `revoked on ${at.toISOString()}: the certificate of the time stamp`

describe('the certificate of a time stamp that a later one covers', () => {
  const check = async (revokedAt: Date, isAuthorityChecked = true) => {
    const [first, second] = [await TestAuthority.make(), await TestAuthority.make({ name: 'b' })]
    const entry = { serialNumber: first.stamper.serialNumber, revocationDate: revokedAt }
    const lists = [await first.list(now, [entry])]
    const toStamp = (kind: 'SIGNATURE' | 'ARCHIVE', time: Date, by: TestAuthority) => ({
      check: { name: 'timeStamp', ok: true } as const,
      shown: { kind, time: null, authority: null, trusted: true, ok: true } as const,
      proof: { time, certificate: by.stamper, links: [by.root] },
    })
    return checkRevocation({
      evidence: [
        { evidence: { kind: 'revocationData', crls: lists, ocspResponses: [] }, text: '' },
      ],
      stamps: [toStamp('SIGNATURE', stampedAt, first), toStamp('ARCHIVE', now, second)],
      certificates: [first.root],
      signers: [first.root],
      timeStamps: isAuthorityChecked ? [first.root, second.root] : undefined,
      now,
    })
  }
  test('may be revoked after that one', async () => {
    expect(await check(new Date(+now + 1_000))).toMatchObject({ ok: true })
  })

  test('is not revoked before it', async () => {
    expect(Object.values((await check(now)) ?? {})).toContain(revoked(now))
  })

  test('may not be revoked where no authority is checked', async () => {
    const later = new Date(+now + 1_000)
    expect(Object.values((await check(later, false)) ?? {})).toContain(revoked(later))
  })
})

describe('two time stamps of one authority', () => {
  const hourMs = 3_600_000
  const check = async (revokedAt?: Date, coveredBy?: TestAuthority) => {
    const authority = await TestAuthority.make()
    const { serialNumber } = authority.stamper
    const entries = revokedAt ? [{ serialNumber, revocationDate: revokedAt }] : []
    const crls = [await authority.list(now, entries)]
    const proofs = [
      [stampedAt, authority],
      [new Date(+now - hourMs), authority],
      ...(coveredBy ? [[now, coveredBy] as const] : []),
    ] as const
    return checkRevocation({
      evidence: [{ evidence: { kind: 'revocationData', crls, ocspResponses: [] }, text: '' }],
      stamps: proofs.map(([time, by]) => ({
        check: { name: 'timeStamp', ok: true } as const,
        shown: { kind: 'ARCHIVE', time: null, authority: null, trusted: true, ok: true } as const,
        proof: { time, certificate: by.stamper, links: [by.root] },
      })),
      certificates: [authority.root],
      signers: [authority.root],
      timeStamps: [authority.root, ...(coveredBy ? [coveredBy.root] : [])],
      now,
    })
  }

  test('do not vouch for each other once its certificate is revoked', async () => {
    const later = new Date(+now + 1_000)
    expect(Object.values((await check(later)) ?? {})).toContain(revoked(later))
  })

  test('are valid where a third one is older than the revocation', async () => {
    const other = await TestAuthority.make({ name: 'b' })
    expect(await check(new Date(+now + 1_000), other)).toMatchObject({ ok: true })
    const before = new Date(+now - 1_000)
    expect(Object.values((await check(before, other)) ?? {})).toContain(revoked(before))
  })

  test('need no data from after the last one', async () => {
    expect(await check()).toMatchObject({ ok: true })
  })
})

describe('a signer whose certificate ends an hour after the time stamp', () => {
  const after = (minutes: number) => new Date(+stampedAt + minutes * 60_000)
  const expiredSince = (minutes: number) =>
    new x509.Extension('2.5.29.60', false, writeTime(after(minutes)))
  let authority: TestAuthority
  let signer: X509Certificate
  let longTerm: (data: Pick<Added, 'crls' | 'ocspResponses'>) => string[]
  beforeAll(async () => {
    authority = await TestAuthority.make()
    const { root, stamper } = authority
    const keys = await makeKeys()
    signer = await authority.issueSigner(keys, after(60))
    const original = signBy(signer, keys)
    const input = signatureTimeStampInput(readSignedParts(original))
    const token = authority.stamp(stamper, { input })
    longTerm = (data) => {
      const document = addAll({ original, token, certificates: [root.raw], ...data })
      const trust = { signers: [root], timeStamps: [root] }
      return verifyInvoice(document, trust, now).checks.flatMap(
        ({ fault: problem }) => problem ?? [],
      )
    }
  })

  const tooLate = ['all revocation data is from after the end of the certificate of the signature']

  test.each([
    [30, undefined, []],
    [60, undefined, []],
    [61, undefined, tooLate],
    [61, 60, []],
    [61, 61, tooLate],
  ])('with a list of minute %i, with those expired since minute %s', async (at, since, found) => {
    const extensions = since === undefined ? [] : [expiredSince(since)]
    expect(longTerm({ crls: [await authority.list(after(at), [], extensions)] })).toEqual(found)
  })

  test('is revoked also by a list from after its end', async () => {
    const entry = { serialNumber: signer.serialNumber, revocationDate: after(-1) }
    const crls = [await authority.list(after(30)), await authority.list(after(61), [entry])]
    expect(longTerm({ crls }).join()).toMatch(/^revoked on .* the certificate of the signature$/)
  })

  test.each([
    [60, undefined, []],
    [61, undefined, tooLate],
    [61, 60, []],
    [61, 61, tooLate],
  ])('with an OCSP response of minute %i, archived since minute %s', async (at, since, found) => {
    const archiveCutoff = since === undefined ? {} : { archiveCutoff: after(since) }
    const about = { about: signer, at: after(at), ...archiveCutoff }
    const ocspResponses = [
      authority.respond(authority.root.raw, about),
      authority.respond(authority.root.raw),
    ]
    expect(longTerm({ ocspResponses })).toEqual(found)
  })
})

describe('the certificate of an OCSP responder', () => {
  const dayBefore = new Date(+now - dayMs)
  test.each([
    ['in time', undefined, []],
    [
      'from after its end',
      dayBefore,
      ['revocation: the signature of an OCSP response does not match the issuer'],
    ],
  ])('signs a response %s', async (_, notAfter, found) => {
    const authority = await TestAuthority.make()
    const keys = await makeKeys()
    const responder = await authority.issueResponder(keys, notAfter)
    const document = addAll({
      token: authority.stamp(),
      certificates: [authority.root.raw],
      ocspResponses: [authority.respond(responder.raw, { by: keys })],
    })
    expect(problems(document, [authority], now)).toEqual(found)
  })
})
