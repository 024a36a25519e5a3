import { EnvReader, SettingsError } from './env'

function findProblems(
  read: (env: EnvReader) => void,
  variables: NodeJS.ProcessEnv,
): readonly string[] {
  const env = new EnvReader(variables)
  read(env)
  try {
    env.throwErrors()
  } catch (error) {
    if (error instanceof SettingsError) return error.messages
    throw error
  }
  return []
}

describe('text', () => {
  it('is trimmed, and unset when blank', () => {
    const env = new EnvReader({ NAME: '  value ', BLANK: '   ' })
    expect(env.text('NAME', 'fallback')).toBe('value')
    expect(env.text('BLANK', 'fallback')).toBe('fallback')
    expect(env.text('ABSENT', 'fallback')).toBe('fallback')
    expect(env.optionalText('BLANK')).toBeUndefined()
  })
})

describe('integer', () => {
  const read = (text: string) =>
    new EnvReader({ SIZE: text }).integer('SIZE', 7, { min: -5, max: 10 })

  it.each([
    ['-5', -5],
    ['10', 10],
    ['0', 0],
    ['', 7],
  ])('reads "%s" as %i', (text, value) => {
    expect(read(text)).toBe(value)
    expect(
      findProblems((env) => env.integer('SIZE', 7, { min: -5, max: 10 }), { SIZE: text }),
    ).toEqual([])
  })

  it.each(['-6', '11', '1.0', '1e0', '0x1', 'ten', '1 0', '٣', '99999999999999999999'])(
    'refuses "%s", naming the bounds',
    (text) => {
      expect(read(text)).toBe(7)
      expect(
        findProblems((env) => env.integer('SIZE', 7, { min: -5, max: 10 }), { SIZE: text }),
      ).toEqual([`SIZE must be an integer from -5 to 10, not "${text}"`])
    },
  )
})

describe('oneOf', () => {
  const read = (env: EnvReader) => env.oneOf('SIGNUP', ['open', 'closed'], 'open')

  it('reads a value that is allowed, and nothing else', () => {
    expect(read(new EnvReader({ SIGNUP: 'closed' }))).toBe('closed')
    expect(read(new EnvReader({}))).toBe('open')
    expect(findProblems(read, { SIGNUP: 'Closed' })).toEqual([
      'SIGNUP must be one of open, closed, not "Closed"',
    ])
  })
})

describe('flag', () => {
  const read = (text: string, fallback = false) =>
    new EnvReader({ DEMO: text }).flag('DEMO', fallback)

  it.each(['1', 'true', 'YES', 'on'])('"%s" is true', (text) => expect(read(text)).toBe(true))
  it.each(['0', 'False', 'no', 'off'])('"%s" is false', (text) =>
    expect(read(text, true)).toBe(false),
  )

  it('rejects an unknown word', () => {
    expect(read('maybe', true)).toBe(true)
    expect(findProblems((env) => env.flag('DEMO', true), { DEMO: 'maybe' })).toEqual([
      'DEMO must be true or false, not "maybe"',
    ])
  })
})

describe('optionalUrl', () => {
  const read = (text: string) =>
    new EnvReader({ URL: text }).optionalUrl('URL', ['http', 'mongodb', 'mongodb+srv'])

  it.each([
    ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
    ['HTTP://[::1]:8090//', 'HTTP://[::1]:8090'],
    ['mongodb://user:pw@a:27017,b:27017/db?replicaSet=rs0', undefined],
    ['mongodb+srv://cluster.example/db', undefined],
  ])('reads %s', (text, value) => expect(read(text)).toBe(value ?? text))

  it('is unset when blank', () => expect(read(' ')).toBeUndefined())

  it.each([
    'ftp://a',
    'http://',
    'http:///path',
    'http:a',
    '127.0.0.1:8090',
    'http://a b',
    'xhttp://a',
  ])('refuses "%s"', (text) => {
    expect(read(text)).toBeUndefined()
    expect(findProblems((env) => env.optionalUrl('URL', ['http', 'https']), { URL: text })).toEqual(
      ['URL must be a URL that begins with http:// or https://'],
    )
  })

  it('never reports the password of an invalid URL', () => {
    const problems = findProblems((env) => env.optionalUrl('STORE', ['mongodb']), {
      STORE: 'postgres://user:s3cret@host/db',
    })
    expect(problems.join()).not.toContain('s3cret')
  })
})

describe('settle', () => {
  it('reports all errors together, in the order of reading', () => {
    const problems = findProblems(
      (env) => {
        env.integer('PORT', 8080, { min: 0, max: 65535 })
        env.flag('DEMO', false)
        env.addError('A and B exclude each other', undefined)
      },
      { PORT: '65536', DEMO: '?' },
    )
    expect(problems).toEqual([
      'PORT must be an integer from 0 to 65535, not "65536"',
      'DEMO must be true or false, not "?"',
      'A and B exclude each other',
    ])
  })

  it('reports an error that several packages found once', () => {
    const read = (env: EnvReader) => env.optionalUrl('STORE', ['mongodb'])
    const problems = findProblems((env) => [read(env), read(env)], { STORE: 'x' })
    expect(problems).toEqual(['STORE must be a URL that begins with mongodb://'])
  })

  it('says each error on a line of its own', () => {
    expect(new SettingsError(['a', 'b']).message).toBe('a\nb')
  })

  it('is silent when there is none', () => {
    expect(() => new EnvReader({}).throwErrors()).not.toThrow()
  })
})
