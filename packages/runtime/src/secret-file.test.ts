import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { SettingsError } from './env'
import { createLog } from './log'
import { readSecretFile, readSecretLines, warnOfOpenSecrets } from './secret-file'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secret-'))
const file = path.join(folder, 'password')
afterAll(() => fs.rmSync(folder, { recursive: true }))

it('reads the secret without the line end that editors leave', async () => {
  fs.writeFileSync(file, ' pass word\n')
  expect(await readSecretFile('REDIS_PASSWORD_FILE', file)).toBe('pass word')
})

it('rejects an empty or missing file, naming the setting', async () => {
  fs.writeFileSync(file, '\n')
  const empty = readSecretFile('REDIS_PASSWORD_FILE', file)
  await expect(empty).rejects.toThrow(SettingsError)
  await expect(empty).rejects.toThrow(/REDIS_PASSWORD_FILE: .*password is empty/)
  const absent = readSecretFile('REDIS_PASSWORD_FILE', path.join(folder, 'absent'))
  await expect(absent).rejects.toThrow(/REDIS_PASSWORD_FILE cannot be read: ENOENT.*absent/)
})

describe('a secret that is renewed', () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [
    string,
    ...string[],
  ]
  const read = (text: string, word?: string) => {
    fs.writeFileSync(file, text)
    return readSecretLines('CALLER_SECRET_FILE', file, word === undefined ? {} : { noSecret: word })
  }

  it('is up to three, one a line, the one in use first', async () => {
    expect(await read(`${one}\n`)).toEqual([one])
    expect(await read(` ${two}\r\n${one} \n${three}\n\n`)).toEqual([two, one, three])
  })

  it('is rejected when it is short, naming file and line but no content', async () => {
    const short = 'hunter2'.padEnd(31, '-')
    await expect(read(short)).rejects.toThrow(SettingsError)
    await expect(read(short)).rejects.toThrow(
      /^CALLER_SECRET_FILE: \S+password must hold at least 32 characters$/,
    )
    const both = read(`${short}\n${one}\n${short}-\n${short}`)
    await expect(both).rejects.toMatchObject({
      messages: [
        expect.stringMatching(/password line 1 must hold at least 32 characters$/) as string,
        expect.stringMatching(/password line 4 repeats an earlier one$/) as string,
        expect.stringMatching(/has 4 lines, the maximum is 3: one secret per line/) as string,
      ],
    })
    await expect(both).rejects.not.toThrow(/hunter2/)
  })

  it('is rejected with a blank or repeated line', async () => {
    await expect(read(`${one}\n\n${two}`)).rejects.toThrow(/line 2 must hold at least 32/)
    await expect(read(`${one}\n${one}`)).rejects.toThrow(/line 2 repeats an earlier one$/)
  })

  it('may be the word "none", where allowed', async () => {
    expect(await read(`${one}\nnone\n`, 'none')).toEqual([one, 'none'])
    await expect(read(`${one}\nnone\n`)).rejects.toThrow(/line 2 must hold at least 32/)
  })
})

describe('a secret that every user of the machine can read', () => {
  const warned = async (name: string) => {
    let logged = ''
    const stream = new PassThrough().on('data', (line: Buffer) => (logged += line.toString()))
    await warnOfOpenSecrets(new Map([['REDIS_PASSWORD_FILE', name]]), createLog('info', stream))
    return logged
  }

  it('causes a warning with its setting, unless unreadable for others', async () => {
    fs.writeFileSync(file, 'hunter2')
    fs.chmodSync(folder, 0o711)
    fs.chmodSync(file, 0o604)
    expect(await warned(file)).toMatch(
      /"setting":"REDIS_PASSWORD_FILE".*every user of this machine/,
    )
    expect(await warned(file)).not.toContain('hunter2')
    fs.chmodSync(file, 0o640)
    expect(await warned(file)).toBe('')
    fs.chmodSync(file, 0o604)
    fs.chmodSync(folder, 0o700)
    expect(await warned(file)).toBe('')
  })

  it('is not warned of where container runtimes mount secrets, or where it is not there', async () => {
    expect(await warned('/run/secrets/redis-password')).toBe('')
    expect(await warned(path.join(folder, 'absent'))).toBe('')
  })
})
