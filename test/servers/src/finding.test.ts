import { fetchProgram } from './fetch'
import { find, mustFind } from './finding'

describe('where there is nothing', () => {
  const { PATH } = process.env
  beforeEach(() => (process.env['PATH'] = __dirname))
  afterEach(() => (process.env['PATH'] = PATH))

  test('a missing server is an error with installation instructions', () => {
    if (find('redis-server')) expect(mustFind('redis-server')).toEqual(find('redis-server'))
    else
      expect(() => mustFind('redis-server')).toThrow(
        'redis-server is missing: run npm run provision',
      )
  })

  test.each(['nats-server', 'minio'] as const)('%s cannot be fetched without Python', (server) =>
    expect(fetchProgram(server)).rejects.toThrow('python3 is not installed'),
  )
})
