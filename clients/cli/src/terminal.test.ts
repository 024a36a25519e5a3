import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { amountText } from './amounts'
import { progressLine } from './load/progress'
import { table, measureWidth } from './table'
import { escapeControls, Terminal, withoutKeys } from './terminal'

const streams = (events: object) =>
  Object.assign(new PassThrough(), events) as unknown as NodeJS.WriteStream & PassThrough
const watched = (colours = true) => streams({ isTTY: true, columns: 20, hasColors: () => colours })

async function reported(to: PassThrough, act: () => void): Promise<string> {
  act()
  to.end()
  return text(to)
}

describe('progress', () => {
  it('is rewritten in one line that fits', async () => {
    const to = watched()
    const terminal = new Terminal(watched(), to)
    expect(
      await reported(to, () => {
        terminal.showProgress('x'.repeat(50))
        terminal.showProgress('')
      }),
    ).toBe(`\r\u001b[2K${'x'.repeat(19)}\r\u001b[2K`)
  })

  it('is cleared before a message', async () => {
    const to = watched()
    const terminal = new Terminal(watched(), to)
    const written = await reported(to, () => {
      terminal.printMessage('first')
      terminal.showProgress('soon')
      terminal.printMessage('there')
      terminal.showProgress('')
    })
    expect(written).toBe('first\n\r\u001b[2Ksoon\r\u001b[2Kthere\n')
  })

  it('is not shown without a terminal', async () => {
    const to = streams({})
    expect(await reported(to, () => new Terminal(to, to).showProgress('x'))).toBe('')
  })

  it.each([
    [0, 300, `${'░'.repeat(20)}   0 % created`],
    [50, 300, `███${'░'.repeat(17)}  16 % created`],
    [300, 300, `${'█'.repeat(20)} 100 % created`],
    [0, 0, `${'█'.repeat(20)} 100 % created`],
  ])('%i of %i', (done, total, line) => expect(progressLine(done, total, 'created')).toBe(line))
})

describe('colours', () => {
  it.each([
    [watched(), '\u001b[31mno\u001b[39m'],
    [watched(false), 'no'],
    [streams({}), 'no'],
  ])('are for terminals that have them', (to, styled) => {
    expect(new Terminal(to, to).styled('red', 'no')).toBe(styled)
    expect(new Terminal(to, to).styledError('red', 'no')).toBe(styled)
  })
})

it('prints no key', async () => {
  const to = streams({})
  const written = await reported(to, () =>
    new Terminal(to, to).printMessage("no 'svc_sk_aZ09' and svc_sk_b-c."),
  )
  expect(written).toBe("no 'svc_sk_…' and svc_sk_…\n")
  expect(withoutKeys('--key=svc_sk_x')).toBe('--key=svc_sk_…')
})

it('no text can move the cursor or reverse the line', () => {
  expect(escapeControls('a\u001b[2J\u009bb\n\u202ec\u2066d\u200f')).toBe('a�[2J�b��c�d�')
  expect(escapeControls('شركة الأطلس 株式会社 é')).toBe('شركة الأطلس 株式会社 é')
})

it('aligns columns of characters that are two cells wide, or none', () => {
  expect([
    measureWidth('株式'),
    measureWidth('e\u0301'),
    measureWidth('👍'),
    measureWidth('أطلس'),
  ]).toEqual([4, 1, 2, 4])
  expect(
    table(
      ['a', 'b'],
      [
        ['株式', '1'],
        ['x', '100'],
      ],
      '<>',
    ),
  ).toBe(['a       b', '株式    1', 'x     100'].join('\n'))
})

it.each([
  [1081.2, '1081.20 MAD'],
  [0, '0.00 MAD'],
  [1.234, '1.234 MAD'],
  [123456789012.35, '123456789012.35 MAD'],
])('%d is %s', (amount, reported) => expect(amountText(amount, 'MAD')).toBe(reported))
