import { findNewPasswordError } from './password-strength'

const owner = { email: 'nadia@example.com', organizationName: 'Atlas' }

it.each([
  'password1234',
  'Password123!',
  'Motdepasse1!',
  'p4ssword12',
  'motdepasse1',
  'azertyuiop',
  'aaaaaaaaaaaa',
  '1234567890',
  '01/01/1990',
  'bonjour123',
  'marrakech123',
])('%s is rejected', async (password) => {
  expect(await findNewPasswordError(password, owner)).toMatch(/common password/)
})

it('reports that it contains words of the account', async () => {
  expect(await findNewPasswordError('Nadia-Atlas-1', owner)).toMatch(/your own email/)
})

it.each(['correct horse battery', 'le chat dort au soleil', 'xK7#pq2!Lm', 'سماء زرقاء جميلة'])(
  '%s is accepted',
  async (password) => {
    expect(await findNewPasswordError(password, owner)).toBeUndefined()
  },
)

it('any document is verified in bounded time', async () => {
  await findNewPasswordError('dictionaries are read', owner)
  const began = process.cpuUsage()
  for (const part of ['aA1!', '4@4@4@8({<6939#6!1|107+1', 'p4$$w0rd!1', '٣✓é'])
    await findNewPasswordError(part.repeat(60).slice(0, 256), owner)
  expect(process.cpuUsage(began).user / 4_000).toBeLessThan(1_000)
})
