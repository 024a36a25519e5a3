import { findPasswordWeakness, passwordGuessesMin } from './password-rule'

const owner = { email: 'nadia.benali@atlas-conseil.ma', organizationName: 'Société Générale' }
const hard = () => passwordGuessesMin

it.each([
  'Atlas-Conseil2026',
  'nadia.benali!!',
  'societegenerale1',
  'SociétéGénérale',
  'BenaliNadia99',
])('%s is made of the words of its account', (password) => {
  expect(findPasswordWeakness(password, owner, hard)).toBe('own-words')
})

it.each(['correct horse battery', 'nadia aime le couscous', 'مرحبا بالعالم'])(
  '%s is not made of the words of its account',
  (password) => {
    expect(findPasswordWeakness(password, owner, hard)).toBeUndefined()
  },
)

it('is weak below the bound, by its beginning and with the words of its account', () => {
  const estimate = jest.fn(() => passwordGuessesMin - 1)
  expect(findPasswordWeakness('x'.repeat(1_000), owner, estimate)).toBe('common')
  expect(estimate).toHaveBeenCalledWith('x'.repeat(24), expect.arrayContaining(['nadia']))
})
