import fs from 'node:fs'
import { nobody, OrganizationsUnderTest } from './testdata/organizations-under-test'

let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('the pepper', () => {
  const pepper = (text: string) => {
    const file = room.file(`pepper-${text.slice(0, 1)}`)
    fs.writeFileSync(file, text)
    return file
  }

  it('cannot be given, changed or taken away once keys were kept', async () => {
    await expect(room.open({ apiKeyPepperFile: pepper('a'.repeat(32)) })).rejects.toThrow(
      /API_KEY_PEPPER_FILE is not what/,
    )
    const store = room.store('peppered.db')
    await room.open({ store, apiKeyPepperFile: pepper('a'.repeat(32)) })
    for (const apiKeyPepperFile of [pepper('b'.repeat(32)), undefined]) {
      await expect(room.open({ store, apiKeyPepperFile })).rejects.toThrow(/is not what/)
    }
    await room.open({ store, apiKeyPepperFile: pepper(` ${'a'.repeat(32)}\n`) })
  })

  it('must be readable and long', async () => {
    await expect(room.open({ apiKeyPepperFile: room.file('absent') })).rejects.toThrow(
      /API_KEY_PEPPER_FILE cannot be read: .*absent/,
    )
    await expect(room.open({ apiKeyPepperFile: pepper('c'.repeat(31)) })).rejects.toThrow(
      /at least 32 characters/,
    )
  })
})

describe('the demo', () => {
  it('is a complete organization with a user and a key, made once, sign-up open or closed', async () => {
    await room.open({ signUp: 'closed' })
    const demo = await room.service.createDemo()
    if (!demo) throw new Error('no demo was made')
    const { missing, organizationId } = await room.authenticate(demo.apiKey)
    expect(missing).toEqual([])
    expect(await room.signIn(demo.email, demo.password)).toMatchObject({ organizationId })
    expect(await room.service.createDemo()).toBeUndefined()
  })

  it('is not made where there is an organization', async () => {
    await room.signUp()
    expect(await room.service.createDemo()).toBeUndefined()
  })
})

describe('at start', () => {
  it('refuses a damaged store with a sentence that names it', async () => {
    const store = room.store('damaged.db')
    fs.writeFileSync(store.file, 'no database '.repeat(1000))
    await expect(room.open({ store })).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(`${store.file} is damaged or is no database`) as string,
    })
  })
})

it('says that it is ready', async () => {
  expect(await room.handlers.checkOrganizations({}, nobody)).toEqual({
    dependencies: [{ name: 'sqlite', essential: true, fault: '' }],
  })
})
