import { InvalidBehaviour, defaultBehaviour, mergeBehaviour } from './behaviour'

const merge = (patch: unknown) => mergeBehaviour(defaultBehaviour, patch)

describe('mergeBehaviour', () => {
  it('replaces what is given and keeps the rest', () => {
    expect(merge({ latencyMs: 5, cutRate: 0.5 })).toEqual({
      ...defaultBehaviour,
      latencyMs: 5,
      cutRate: 0.5,
    })
  })

  it.each([
    { latencyMs: 0 },
    { latencyMs: 600_000 },
    { errorRate: 0 },
    { errorRate: 1 },
    { retryAfterSeconds: 3_600 },
    { seed: 0 },
    { seed: 0xffff_ffff },
    { seed: null },
    {},
  ])('accepts %j', (patch) => {
    expect(merge(patch)).toMatchObject(patch)
  })

  const wrong: unknown[] = [
    { latencyMs: -1 },
    { latencyMs: 600_001 },
    { latencyMs: 0.5 },
    { latencyMs: null },
    { latencyMs: '5' },
    { errorRate: -0.01 },
    { errorRate: 1.01 },
    { errorRate: NaN },
    { retryAfterSeconds: 3_601 },
    { seed: -1 },
    { seed: 0x1_0000_0000 },
    { unknown: 1 },
    { constructor: 1 },
    [],
    null,
    'text',
    undefined,
  ]
  it.each(wrong.map((patch) => [patch]))('rejects %j', (patch) => {
    expect(() => merge(patch)).toThrow(InvalidBehaviour)
  })

  it('reports every error at once', () => {
    expect(() => merge({ cutRate: 2, unknown: 1 })).toThrow(
      /cutRate must be .*; unknown name unknown/,
    )
  })
})
