import type { LegalMention } from '@einvoicing/domain/legal-mentions'
import { mentionNames, neededMentions } from '@einvoicing/domain/legal-mentions'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import {
  describeMentionsChange,
  mentionsNamed,
  missingMentions,
  readLegalMentions,
} from './legal-mentions'

const complete: LegalMentions = {
  name: 'Atelier "A & B"',
  legalForm: 'SARL à associé unique',
  capital: '100 000 MAD',
  address: '12, rue des Orangers\nAppt 3',
  city: 'الدار البيضاء',
  ice: '001523467000017',
  if: '12345678',
  rc: '123456/2 Rabat-Agdal',
  tp: '35791113',
  cnss: '1234567',
  rib: '011780000012345678901296',
  phone: '+212 522 00 00 00',
  email: 'Contact@example.com',
}

function findProblems(fields: Partial<LegalMentions>): unknown {
  try {
    readLegalMentions({ ...complete, ...fields })
  } catch (error) {
    expect(error).toMatchObject({ name: 'ApiError', code: 'VALIDATION_ERROR' })
    return (error as { fieldErrors: unknown }).fieldErrors
  }
  return undefined
}

const findProblem = (mention: LegalMention, text: string) => {
  const problems = findProblems({ [mention]: text }) as
    | { field: string; message: string }[]
    | undefined
  if (problems) expect(problems.map(({ field }) => field)).toEqual([mention])
  return problems?.[0]?.message
}

it('a mention that prints as nothing is missing, also where it was stored so', () => {
  const invisible = { ...complete, address: '\u200B' }
  expect(readLegalMentions(invisible).address).toBe('')
  expect(missingMentions(invisible)).toEqual(['address'])
  expect(findProblem('name', '\u200B')).toBe('must not be blank')
})

describe('readLegalMentions', () => {
  it('stores them as written, without surrounding blanks', () => {
    expect(readLegalMentions(complete)).toEqual(complete)
    expect(readLegalMentions({ ...complete, city: '  Fès\t' }).city).toBe('Fès')
  })

  it('accepts everything blank but the name', () => {
    expect(readLegalMentions(mentionsNamed('Société'))).toEqual(mentionsNamed('Société'))
    expect(findProblem('name', '   ')).toBe('must not be blank')
  })

  it.each<[LegalMention, string, string]>([
    ['ice', '0'.repeat(15), '0'.repeat(14)],
    ['ice', '001523467000017', '0'.repeat(16)],
    ['ice', '001523467000017', '00152346700001A'],
    ['ice', '001523467000017', '00152346700001٧'],
    ['if', '1', '1-2'],
    ['if', 'A'.repeat(20), '1'.repeat(21)],
    ['rib', '0'.repeat(24), '0'.repeat(23)],
    ['rib', '0'.repeat(24), '0'.repeat(25)],
    ['rc', 'A/1-2.3 é', 'A;1'],
    ['tp', '12 34', '12<34'],
    ['cnss', '1.2', '1,2'],
    ['email', 'a@example.com', 'a@example'],
  ])('%s may be "%s" and not "%s"', (mention, good, bad) => {
    expect(findProblem(mention, good)).toBeUndefined()
    expect(findProblem(mention, bad)).toMatch(/^must /)
  })

  it.each(mentionNames)('%s rejects characters that XML cannot hold', (mention) => {
    expect(findProblem(mention, 'a\u0001b')).toContain('control characters')
  })

  it('has space for 256 characters and not one more', () => {
    expect(findProblem('address', 'x'.repeat(256))).toBeUndefined()
    expect(findProblem('address', '😀'.repeat(256))).toBeUndefined()
    expect(findProblem('address', 'x'.repeat(257))).toBe('must have at most 256 characters')
  })

  it('reports every invalid mention, in order', () => {
    expect(findProblems({ name: '', ice: '1', rib: '2', email: 'x' })).toMatchObject([
      { field: 'name' },
      { field: 'ice' },
      { field: 'rib' },
      { field: 'email' },
    ])
  })
})

describe('missingMentions', () => {
  it('nothing is missing when the required details are set', () => {
    const bare = { ...mentionsNamed('x'), address: 'x', city: 'x', ice: 'x', if: 'x' }
    expect(missingMentions({ ...bare, rc: 'x', tp: 'x' })).toEqual([])
  })

  it.each(neededMentions)('names %s when it is blank', (mention) => {
    expect(missingMentions({ ...complete, [mention]: '' })).toEqual([mention])
  })

  it('are returned in the requested order', () => {
    expect(missingMentions(mentionsNamed(''))).toEqual(neededMentions)
    expect(neededMentions).toEqual(['name', 'address', 'city', 'ice', 'if', 'rc', 'tp'])
  })
})

describe('describeMentionsChange', () => {
  it('reports the old and the new value', () => {
    const after = { ...complete, city: 'Rabat', cnss: '' }
    expect(describeMentionsChange(complete, after)).toBe(
      'city: الدار البيضاء → Rabat; cnss: 1234567 → (blank)',
    )
    expect(describeMentionsChange(mentionsNamed('x'), { ...mentionsNamed('x'), if: '7' })).toBe(
      'if: (blank) → 7',
    )
  })

  it('says so when nothing changed', () => {
    expect(describeMentionsChange(complete, complete)).toBe('Nothing changed.')
  })
})
