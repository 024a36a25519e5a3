import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { MerkleTree } from './merkle-tree'

const sha256 = (...parts: (Buffer | string)[]) =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

/** As RFC 9162, section 2.1.1, has it. */
function treeHash(leaves: readonly string[]): Buffer {
  const [first = '', ...more] = leaves
  if (leaves.length === 0) return sha256()
  if (more.length === 0) return sha256('\0', first)
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return sha256('\u0001', treeHash(leaves.slice(0, half)), treeHash(leaves.slice(half)))
}

test('is the tree of the RFC', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 70 }), (leaves) => {
      const tree = new MerkleTree()
      for (const leaf of leaves) tree.add(leaf)
      expect(tree.root()).toEqual(treeHash(leaves))
    }),
  )
})

// Of the test data of Certificate Transparency, which uses the same tree.
test.each([
  [[], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [[''], '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  [['', '\0'], 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
])('%j', (leaves, root) => {
  const tree = new MerkleTree()
  for (const leaf of leaves) tree.add(leaf)
  expect(tree.root().toString('hex')).toBe(root)
})
