/**
 * The heads of all chains are leaves of a Merkle tree whose root is time-stamped: a chain that is
 * cut or rewritten afterwards no longer matches.
 */

import type { X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { auditChainName, type AuditHead, type AuditLog } from '@einvoicing/runtime/audit-chain'
import { isTrusted } from '../certificate-chain'
import { checkToken, TimeStampError } from '../time-stamps/check-token'
import { MerkleTree } from './merkle-tree'

export interface Checkpoint {
  format: typeof checkpointFormat
  log: AuditLog
  /** YYYY-MM-DD, in UTC. */
  date: string
  /** `chain seq hash`, without the line feed that the tree covers, by chain. */
  leaves: string[]
  madeAt: string
  /** Lower-case hexadecimal. */
  root: string
  /** A TimeStampToken over the root, in base64; `null` when no authority was set. */
  timeStamp: string | null
}

export interface CheckpointLeaf {
  chain: string
  seq: number
  hash: string
}

export type CheckpointSeal = Pick<Checkpoint, 'madeAt' | 'root' | 'timeStamp'>

const checkpointFormat = 'einvoicing audit checkpoint v1'
/** After a longer pause only the newest are made up. */
export const madeUpMax = 400

export const dayMs = 86_400_000

export const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const checkpointFolder = (log: string) => `audit/${log}/`

export const checkpointKey = (log: string, date: string) =>
  `${checkpointFolder(log)}${date}.json.gz`

/** `undefined` for any other key. */
export function readCheckpointKey(key: string): { log: AuditLog; date: string } | undefined {
  const [, log, date] =
    /^audit\/(invoices|organizations)\/(\d{4}-\d{2}-\d{2})\.json\.gz$/.exec(key) ?? []
  return log && date && isDay(date) ? { log: log as AuditLog, date } : undefined
}

function isDay(date: string): boolean {
  const time = new Date(date)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
}

/** Compresses leaf by leaf: of 100,000 heads only the compressed bytes are in memory. */
export class CheckpointWriter {
  private readonly tree = new MerkleTree()
  private readonly gzip = zlib.createGzip({ level: zlib.constants.Z_BEST_SPEED })
  private readonly chunks: Buffer[] = []
  private readonly ended: Promise<void>
  private separator = ''
  private readonly log: AuditLog

  constructor(log: AuditLog, date: string) {
    this.log = log
    this.ended = new Promise((resolve, reject) => {
      this.gzip.on('data', (chunk: Buffer) => this.chunks.push(chunk))
      this.gzip.on('end', resolve)
      this.gzip.on('error', reject)
    })
    const begin = JSON.stringify({ format: checkpointFormat, log, date }).slice(0, -1)
    this.gzip.write(`${begin},"leaves":[`)
  }

  async add(heads: readonly AuditHead[]): Promise<void> {
    let text = ''
    for (const { organizationId, seq, hash } of heads) {
      const leaf = `${auditChainName(this.log, organizationId)} ${seq} ${hash}`
      this.tree.add(`${leaf}\n`)
      text += `${this.separator}${JSON.stringify(leaf)}`
      this.separator = ',\n'
    }
    await new Promise<void>((resolve, reject) => {
      this.gzip.write(text, (error) => (error ? reject(error) : resolve()))
    })
  }

  root(): Buffer {
    return this.tree.root()
  }

  async end(madeAt: string, token: Uint8Array | undefined): Promise<Buffer> {
    const root = this.root().toString('hex')
    const timeStamp = token ? Buffer.from(token).toString('base64') : null
    this.gzip.end(`],${JSON.stringify({ madeAt, root, timeStamp }).slice(1)}`)
    await this.ended
    return Buffer.concat(this.chunks)
  }
}

const gunzip = promisify(zlib.gunzip)
/** Two million leaves. */
const uncompressedMax = 256 * 1024 * 1024

export async function readCheckpoint(bytes: Buffer): Promise<Checkpoint> {
  const text = await gunzip(bytes, { maxOutputLength: uncompressedMax })
  const read = JSON.parse(text.toString('utf8')) as { format?: unknown } & Omit<
    Checkpoint,
    'format'
  >
  const { format, log, date, leaves, madeAt, root, timeStamp } = read
  const texts = [log, date, madeAt, root, timeStamp ?? '', ...leaves]
  const isComplete = texts.every((one) => typeof one === 'string')
  if (format !== checkpointFormat || !isComplete) throw new Error('it is not a checkpoint')
  return { format: checkpointFormat, log, date, leaves, madeAt, root, timeStamp }
}

const sealBegin = '],"madeAt":'
const sealBytesMax = 256 * 1024

/** What it ends with: its leaves are not in memory. */
export async function readCheckpointSeal(bytes: Buffer): Promise<CheckpointSeal> {
  const read = zlib.createGunzip()
  read.end(bytes)
  let [end, length] = [Buffer.alloc(0), 0]
  for await (const chunk of read as AsyncIterable<Buffer>) {
    end = Buffer.concat([end, chunk]).subarray(-sealBytesMax)
    length += chunk.length
    if (length > uncompressedMax) throw new Error('it is too large')
  }
  const text = end.toString('utf8')
  const at = text.lastIndexOf(sealBegin)
  if (at === -1) throw new Error('it is not a checkpoint')
  const { madeAt, root, timeStamp } = JSON.parse(`{${text.slice(at + 2)}`) as CheckpointSeal
  const isComplete = [madeAt, root, timeStamp ?? ''].every((one) => typeof one === 'string')
  if (!isComplete) throw new Error('it is not a checkpoint')
  return { madeAt, root, timeStamp }
}

export function readLeaf(leaf: string): CheckpointLeaf {
  const [, chain, seq, hash] = /^(\S+) ([1-9]\d{0,14}) ([0-9a-f]{64})$/.exec(leaf) ?? []
  if (!chain || !seq || !hash) throw new Error('a leaf is not "chain seq hash"')
  return { chain, seq: Number(seq), hash }
}

export interface CheckpointTrust {
  /** `undefined`: the stamp's issuer is not checked. */
  trusted: readonly X509Certificate[] | undefined
  now: Date
}

export function findCheckpointProblem(
  checkpoint: Checkpoint,
  expected: { log: AuditLog; date: string },
  trust: CheckpointTrust,
): string | undefined {
  const { log, date, leaves, root } = checkpoint
  if (log !== expected.log || date !== expected.date) return `it is of ${log}, ${date}`
  const tree = new MerkleTree()
  let last = ''
  for (const leaf of leaves) {
    const { chain } = readLeaf(leaf)
    if (chain <= last) return `its leaf ${chain} is not in order`
    last = chain
    tree.add(`${leaf}\n`)
  }
  if (tree.root().toString('hex') !== root) return 'its root is not that of its leaves'
  return findSealProblem(checkpoint, date, trust)
}

/** Of its time: made before its day, it would be without what was written since. */
export function findSealProblem(
  seal: CheckpointSeal,
  date: string,
  trust: CheckpointTrust,
): string | undefined {
  const madeMs = Date.parse(seal.madeAt)
  const [fromMs, untilMs] = [Date.parse(date), trust.now.getTime()]
  const isPossible = madeMs >= fromMs - madeToleranceMs && madeMs <= untilMs + madeToleranceMs
  if (!isPossible)
    return `it states ${seal.madeAt} as its time, which is not between its day and now`
  return seal.timeStamp === null ? undefined : findStampProblem(seal.timeStamp, seal, trust)
}

function findStampProblem(
  timeStamp: string,
  { root, madeAt }: CheckpointSeal,
  { trusted, now }: CheckpointTrust,
): string | undefined {
  try {
    const { info } = checkToken(Buffer.from(timeStamp, 'base64'), {
      hash: 'sha256',
      digest: Buffer.from(root, 'hex'),
      now,
      isTrusted: (certificates, at) => !trusted || isTrusted({ certificates, trusted, at }),
    })
    const differsMs = Math.abs(info.time.getTime() - Date.parse(madeAt))
    if (differsMs <= madeToleranceMs) return undefined
    return `it states ${madeAt} as its time, but its time stamp states ${info.time.toISOString()}`
  } catch (error) {
    if (error instanceof TimeStampError) return error.message
    throw error
  }
}

export const madeToleranceMs = 10 * 60_000
