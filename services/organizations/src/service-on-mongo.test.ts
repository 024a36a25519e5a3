import fs from 'node:fs'
import { SettingsError } from '@einvoicing/runtime/env'
import { unavailableEssentials } from '@einvoicing/rpc/readiness'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import {
  createCall,
  readErrorCode,
  anonymous,
  OrganizationsUnderTest,
} from './testdata/organizations-under-test'

describeWithOwn('mongod', 'organizations on MongoDB', () => {
  let server: Mongod
  const underTest = new OrganizationsUnderTest()
  beforeAll(async () => (server = await startMongod()))
  afterAll(async () => {
    await underTest.remove()
    await server.dispose()
  })

  const store = () => ({ kind: 'mongodb', url: server.url }) as const
  const problems = async () =>
    unavailableEssentials(
      await underTest.handlers.checkOrganizations(
        {},
        { ...anonymous, deadline: Date.now() + 2_500 },
      ),
    )

  it('accept a key, and reject it in every process once one revoked it', async () => {
    await underTest.open({ store: store() })
    const other = new OrganizationsUnderTest()
    await other.open({ store: store() })
    const call = createCall(await underTest.signUp())
    const { key, id } = await underTest.createKey(call)
    expect(await readErrorCode(other.authenticate(key))).toBe('OK')
    await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
    expect(await readErrorCode(other.authenticate(key))).toBe('API_KEY_INVALID')
    expect(
      await readErrorCode(other.signUp((await underTest.listAudit(call))[0]?.actor.slice(5))),
    ).toBe('EMAIL_TAKEN')
    await other.remove()
  })

  it('listen while it is unavailable, reject every call in time, and recover', async () => {
    await underTest.open({ store: store() })
    const { key } = await underTest.createKey(createCall(await underTest.signUp()))
    await server.kill9()
    await underTest.open({ store: store() })
    expect(await readErrorCode(underTest.authenticate(key))).toBe('SERVICE_UNAVAILABLE')
    expect(await readErrorCode(underTest.signUp())).toBe('SERVICE_UNAVAILABLE')
    expect(await problems()).toMatchObject([{ name: 'mongodb', problem: 'is not available' }])
    await server.start()
    await eventually(async () => expect(await problems()).toEqual([]))
    expect(await readErrorCode(underTest.authenticate(key))).toBe('OK')
  })

  it('never call a key invalid because of a wrong pepper', async () => {
    await underTest.open({ store: store() })
    const { key } = await underTest.createKey(createCall(await underTest.signUp()))
    const apiKeyPepperFile = underTest.file('pepper')
    fs.writeFileSync(apiKeyPepperFile, 'p'.repeat(32))
    const wrong = { store: store(), apiKeyPepperFile }
    await expect(underTest.open(wrong)).rejects.toThrow(SettingsError)
    await expect(underTest.open(wrong)).rejects.toThrow(/^API_KEY_PEPPER_FILE does not contain/)
    await server.kill9()
    await underTest.open(wrong)
    await server.start()
    await eventually(async () =>
      expect((await problems())[0]?.problem).toMatch(/^cannot be used as it is configured/),
    )
    expect(await readErrorCode(underTest.authenticate(key))).toBe('SERVICE_UNAVAILABLE')
  })
})
