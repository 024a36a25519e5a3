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
