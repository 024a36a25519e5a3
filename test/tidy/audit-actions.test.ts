import { auditActions } from '@einvoicing/domain/audit-actions'
import { sources } from './tree'

test('every action that is written to the audit log has words for people', () => {
  const written = /(?:action: |auditEntry\(|audit\()'([a-z-]+\.[a-z-]+)'/g
  const actions = sources.flatMap(({ text }) => [...text.matchAll(written)].map(([, name]) => name))
  expect(new Set(actions).size).toBeGreaterThan(15)
  expect(actions.filter((action) => !(String(action) in auditActions))).toEqual([])
})
