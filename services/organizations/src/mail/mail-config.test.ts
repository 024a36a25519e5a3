import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { readMailConfig } from './mail-config'

const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'invoices@example.com' }
const PUBLIC_URL = 'https://invoices.example.com'

function read(variables: NodeJS.ProcessEnv, dataDir?: string) {
  const env = new EnvReader(variables)
  const config = readMailConfig(env, dataDir)
  env.throwErrors()
  return config
}

it('links begin with PUBLIC_URL', () => {
  expect(read({ ...mail, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
})

it('a service that mails links needs PUBLIC_URL', () => {
  expect(() => read({ ...mail, PUBLIC_URL: '' })).toThrow(SettingsError)
  expect(() => read(mail)).toThrow(/^PUBLIC_URL is not set: links in mail begin with it/)
  expect(read({}).publicUrl).toBe('http://127.0.0.1:8080')
})

it('standalone mails links to this machine without it', () => {
  expect(read({ ...mail, PORT: '8090' }, 'data').publicUrl).toBe('http://127.0.0.1:8090')
})

it('a user of the mail server and the file of its password go together', () => {
  const named = { ...mail, SMTP_URL: 'smtp://a%40b.example@mail.example.com', PUBLIC_URL }
  const SMTP_PASSWORD_FILE = 'smtp.password'
  const passwordFile = expect.stringContaining(SMTP_PASSWORD_FILE) as string
  expect(read({ ...named, SMTP_PASSWORD_FILE }).transport).toMatchObject({ passwordFile })
  expect(() => read(named)).toThrow(/^SMTP_URL names a user but no password: write/)
  const withFile = { ...mail, PUBLIC_URL, SMTP_PASSWORD_FILE }
  expect(() => read(withFile)).toThrow(/^SMTP_PASSWORD_FILE is set but SMTP_URL names no user/)
  expect(() => read({ SMTP_PASSWORD_FILE })).toThrow(/but SMTP_URL is not: set both or none$/)
  const withPassword = { ...withFile, SMTP_URL: 'smtp://a:b@mail.example.com' }
  expect(() => read(withPassword)).toThrow(/^SMTP_URL must not contain a password.*FILE$/)
})
