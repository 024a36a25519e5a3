import { nextStep, type Obstacle, type Question, type Step } from './next-step'

const raw = ''
const obstacles: Record<Obstacle['kind'], Obstacle> = {
  unknown: { kind: 'unknown' },
  throttled: { kind: 'throttled', retryAfterMs: 1 },
  duplicate: { kind: 'duplicate', status: 409, raw },
  misconfigured: { kind: 'misconfigured', status: 401, raw },
  refused: { kind: 'refused', status: 413, raw },
  unclear: { kind: 'unclear', reason: 'HTTP 500', retryAfterMs: undefined },
  held: { kind: 'held', reason: 'it requested a pause', againInMs: 1 },
  unreadable: { kind: 'unreadable', reason: 'lost', neverSent: false },
  foreign: { kind: 'foreign', submissionId: 's-1' },
}

const kinds = Object.keys(obstacles) as Obstacle['kind'][]
const expected: [Question, ...Step[]][] = [
  //         unknown   throttled duplicate misconf. refused   unclear  held     unread.  foreign
  ['read', 'confirm', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'fail'],
  ['confirm', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'fail'],
  ['find', 'submit', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'fail'],
  ['submit', 'retry', 'retry', 'settle', 'retry', 'fail', 'retry', 'retry', 'retry', 'fail'],
  ['settle', 'fail', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'retry', 'fail'],
]

it.each(
  expected.flatMap(([question, ...steps]) =>
    kinds.map((kind, n): [Question, Obstacle['kind'], Step | undefined] => [
      question,
      kind,
      steps[n],
    ]),
  ),
)('%s, %s: %s', (question, kind, step) => {
  expect(nextStep(question, obstacles[kind])).toBe(step)
})

it('only the platform’s own "unknown" leads to a submission', () => {
  for (const [question] of expected) {
    for (const kind of kinds) {
      if (nextStep(question, obstacles[kind]) === 'submit') expect(kind).toBe('unknown')
    }
  }
})

it('never repeats a step within one delivery', () => {
  const rank: Record<Step | Question, number> = {
    read: 0,
    confirm: 1,
    find: 1,
    submit: 2,
    settle: 3,
    retry: 4,
    fail: 4,
  }
  for (const [question] of expected) {
    for (const kind of kinds) {
      expect(rank[nextStep(question, obstacles[kind])]).toBeGreaterThan(rank[question])
    }
  }
})
