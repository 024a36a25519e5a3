import { read } from './tree'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const installed = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
)

test('package-lock.json holds a strong hash of every package', () => {
  expect(installed.length).toBeGreaterThan(100)
  const weak = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  expect(weak.map(([place]) => place)).toEqual([])
})

test('package-lock.json takes packages from a registry alone: no git, no file, no address', () => {
  const version = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/
  const elsewhere = installed.filter(
    ([, locked]) => locked.resolved !== undefined || !version.test(locked.version ?? ''),
  )
  expect(elsewhere.map(([place]) => place)).toEqual([])
  const links = Object.entries(packages).filter(([, { link }]) => link)
  expect(links.filter(([, { resolved = '' }]) => /[:@]|^\.\./.test(resolved))).toEqual([])
})
