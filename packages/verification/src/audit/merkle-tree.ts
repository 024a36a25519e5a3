import { createHash } from 'node:crypto'

/** RFC 9162, section 2.1.1, with SHA-256; stores one hash a level. */
export class MerkleTree {
  /** Of complete subtrees, the largest first. */
  private readonly subtrees: { hash: Buffer; leaves: number }[] = []

  add(leaf: string): void {
    let added = { hash: sha256(leafPrefix, Buffer.from(leaf)), leaves: 1 }
    for (let left = this.subtrees.at(-1); left?.leaves === added.leaves;) {
      this.subtrees.pop()
      added = { hash: sha256(nodePrefix, left.hash, added.hash), leaves: left.leaves * 2 }
      left = this.subtrees.at(-1)
    }
    this.subtrees.push(added)
  }

  root(): Buffer {
    const [last, ...before] = this.subtrees.map(({ hash }) => hash).reverse()
    if (last === undefined) return sha256()
    return before.reduce((right, left) => sha256(nodePrefix, left, right), last)
  }
}

const leafPrefix = Buffer.from([0])
const nodePrefix = Buffer.from([1])

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
