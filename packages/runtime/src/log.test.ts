import { PassThrough } from 'node:stream'
import { createLog } from './log'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const stream = new PassThrough()
  write(createLog('info', stream))
  return String(stream.read() ?? '')
}

test('one JSON object a line, with level and time in words', () => {
  const lines = logged((log) => {
    log.info({ port: 8080 }, 'ready')
    log.debug('too fine')
  })
  const { time, ...rest } = JSON.parse(lines) as Record<string, unknown>
  expect(rest).toEqual({ level: 'info', port: 8080, msg: 'ready' })
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test.each(['authorization', 'cookie', 'password', 'key', 'apiKey', 'pin', 'callerSecrets'])(
  '%s is never written, at any depth we log',
  (name) => {
    const line = logged((log) => {
      log.info({ [name]: 's3cret', a: { [name]: 's3cret' } })
      log.child({ [name]: 's3cret' }).info('child')
    })
    expect(line).not.toContain('s3cret')
    expect(line.split('…')).toHaveLength(4)
  },
)

test('an error is logged with its cause', () => {
  const err = new Error('cannot sign', { cause: new Error('the token is unavailable') })
  const line = logged((log) => log.error({ err }, 'call failed'))
  expect(line).toContain('cannot sign')
  expect(line).toContain('the token is unavailable')
})
