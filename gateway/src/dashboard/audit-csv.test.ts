import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { AuditEntry, ListAuditRequest } from '@einvoicing/proto/invoice'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { smallInvoices, smallOrganizations } from '../testdata/small-services'
import { toRow } from './audit-csv'
import { entriesWrittenMax } from './audit-sheet'

it.each([
  [['a', '', 'b'], '"a","","b"'],
  [['a,b', 'say "yes"', 'x\r\ny', 'x\ny'], '"a,b","say ""yes""","x\r\ny","x\ny"'],
  [['=1+1', '+1', '-1', '@SUM(A1)'], `"'=1+1","'+1","'-1","'@SUM(A1)"`],
  [['\tx', '\r=x', '\nx', '=a,"b'], `"'\tx","'\r'=x","'\nx","'=a,""b"`],
  [
    ["x;=cmd|'/C calc'!A0", 'x; +1', 'x\n@y', '＝1'],
    `"x;'=cmd|'/C calc'!A0","x; '+1","x\n'@y","'＝1"`,
  ],
  [['a=1', '1-1', 'شركة الأمل'], '"a=1","1-1","شركة الأمل"'],
])('writes the cells %j as %j', (cells, row) => {
  expect(toRow(cells)).toBe(`${row}\r\n`)
})

/** Cells as a spreadsheet takes them that knows quotes only where a cell begins. */
function cellsAt(separator: string, text: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1
        cell += text[at] ?? ''
      }
      at += 1
    }
    for (; at < text.length && !`${separator}\r\n`.includes(text[at] ?? ''); at += 1)
      cell += text.charAt(at)
    cells.push(cell)
    at += 1
  }
  return cells
}

it.each([',', ';', '\t'])('holds no formula where %j separates cells', (separator) => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@;,"\t\r\n \'a1|') })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 7 }), (cells) => {
      for (const cell of cellsAt(separator, toRow(cells))) expect(cell).not.toMatch(/^\s*[=+\-@]/)
    }),
    { numRuns: 500 },
  )
})

it('is correct when the comma separates cells', () => {
  const cells = ['at', 'a;b', 'x "y", z', '=1']
  expect(cellsAt(',', toRow(cells))).toEqual(['at', 'a;b', 'x "y", z', "'=1", ''])
})

const entries = (count: number, second: number): AuditEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2026, 0, 1, 0, 0, second) - index * 2_000).toISOString(),
    actor: 'user:a@example.com',
    action: `step-${second}`,
    detail: index === 0 ? '=cmd, "x"\nشركة' : '',
  }))

async function signIn(gateway: Parameters<typeof fetchFrom>[0]): Promise<string> {
  const { headers } = await fetchFrom(gateway, '/dashboard/api/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'dashboard' },
    body: JSON.stringify({ email: 'a@example.com', password: 'right password' }),
  })
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function openLogs(theirs: AuditEntry[], ours: AuditEntry[]) {
  const requests: ListAuditRequest[] = []
  const paged = (log: AuditEntry[]) => async (request: ListAuditRequest) => {
    requests.push(request)
    const { page, size } = request
    return { entries: log.slice(page * size, (page + 1) * size), total: 0 }
  }
  const gateway = await openForTest(
    {},
    {
      organizations: { ...smallOrganizations(), listOrganizationAudit: paged(theirs) },
      invoices: { ...smallInvoices(), listInvoiceAudit: paged(ours) },
      now: () => new Date('2026-05-03T09:30:00.000Z'),
    },
  )
  const Cookie = await signIn(gateway)
  return { gateway, requests, Cookie, url: `${gateway.url}/dashboard/api/audit.csv` }
}

async function download(theirs: AuditEntry[], ours: AuditEntry[], query = '') {
  const { gateway, requests, Cookie, url } = await openLogs(theirs, ours)
  const answer = await fetch(`${url}${query}`, { headers: { Cookie } })
  const text = Buffer.from(await answer.arrayBuffer()).toString()
  await gateway.close()
  return { answer, text, requests }
}

it('has both logs, newest first, as a CSV for spreadsheets', async () => {
  const { answer, text, requests } = await download(
    entries(1_500, 1),
    entries(2_000, 0),
    '?to=2026-05-02',
  )
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit.csv"',
    'cache-control': 'no-store',
  })
  const header =
    '"at","actor","action","invoiceId","from","to","detail","network","device","seq","hash"'
  expect(text.startsWith(`\uFEFF${header}\r\n"2026`)).toBe(true)
  expect(text).toContain(`"","","","'=cmd, ""x""\nشركة","","","",""\r\n`)
  const moments = [...text.matchAll(/^"202[56][^,]*/gm)].map(([moment]) => moment)
  expect(moments).toHaveLength(3_500)
  expect(moments).toEqual(moments.toSorted().toReversed())
  expect(requests.every(({ atBefore }) => atBefore === '2026-05-02T23:00:00.000Z')).toBe(true)
})

it('says when it is truncated, and only then', async () => {
  const cut = '"Only the newest 10000 entries are here. Ask for fewer days."\r\n'
  const most = await download(entries(entriesWrittenMax, 0), [])
  expect([most.text.split('\r\n').length - 2, most.text.endsWith(cut)]).toEqual([10_000, false])
  expect(most.requests[0]?.atBefore).toBe('2026-05-03T09:30:00.001Z')
  const more = await download(entries(entriesWrittenMax, 0), entries(1, 1))
  expect([more.text.split('\r\n').length - 2, more.text.endsWith(cut)]).toEqual([10_001, true])
})

it.each([
  ['fr', '"Seules les 10000 entrées les plus récentes figurent ici. Demandez moins de jours."\r\n'],
  ['en', '"Only the newest 10000 entries are here. Ask for fewer days."\r\n'],
])('says in the language of the sheet when it is truncated: %s', async (language, cut) => {
  const log = [...entries(entriesWrittenMax, 0), ...entries(1, -40_000)]
  const { text } = await download(log, [], `?lang=${language}`)
  expect([text.split('\r\n').length - 2, text.slice(-cut.length)]).toEqual([10_001, cut])
})

it('has every entry where long ones cut pages of the log', async () => {
  const log = entries(2_500, 0)
  const asked: ListAuditRequest[] = []
  const cutting = async (request: ListAuditRequest) => {
    asked.push(request)
    const { page, size, skip = 0 } = request
    const left = log.slice(page * size + skip, (page + 1) * size)
    return { entries: left.slice(0, 300), total: 0, skipped: skip, cut: left.length > 300 }
  }
  const gateway = await openForTest(
    {},
    { organizations: { ...smallOrganizations(), listOrganizationAudit: cutting } },
  )
  const Cookie = await signIn(gateway)
  const answer = await fetch(`${gateway.url}/dashboard/api/audit.csv`, { headers: { Cookie } })
  const rows = (await answer.text()).split('\r\n').slice(1, -1)
  expect(rows.map((row) => row.split(',')[0])).toEqual(log.map(({ at }) => `"${at}"`))
  expect(asked.map(({ page, skip }) => [page, skip])).toEqual(
    [0, 1, 2].flatMap((page) =>
      [0, 300, 600, 900].slice(0, page === 2 ? 2 : 4).map((skip) => [page, skip]),
    ),
  )
  await gateway.close()
})

const longEntries = entries(entriesWrittenMax, 0).map((entry) => ({
  ...entry,
  detail: 'x'.repeat(4_096),
}))

it.each(['goes on', 'goes away'])(
  'reads the log no faster than the client downloads; the client %s',
  async (how) => {
    const { gateway, requests, Cookie, url } = await openLogs(longEntries, [])
    const countPages = () => requests.filter(({ page }) => page > 0).length
    const [answer] = (await once(http.get(url, { headers: { Cookie } }), 'response')) as [
      http.IncomingMessage,
    ]
    await settled(countPages)
    expect(countPages()).toBeLessThan(9)
    if (how === 'goes on') {
      let bytes = 0
      for await (const chunk of answer) bytes += (chunk as Buffer).length
      expect(bytes).toBeGreaterThan(entriesWrittenMax * 4_096)
    } else {
      const asUsual = countPages()
      answer.destroy()
      await settled(countPages)
      expect(countPages()).toBeLessThanOrEqual(asUsual + 1)
    }
    await gateway.close()
  },
)

it('downloads that are not read count with the unread answers, until their client leaves', async () => {
  const read = async (name: string) =>
    (await metrics.getSingleMetric(`einvoicing_unread_answer_${name}`)?.get())?.values[0]?.value
  const { gateway, Cookie } = await openLogs(longEntries, [])
  const closedBefore = (await read('connections_closed_total')) ?? 0
  const send = (count: number) => {
    const socket = net.connect(gateway.port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    const request = `GET /dashboard/api/audit.csv HTTP/1.1\r\nHost: a\r\nCookie: ${Cookie}\r\n\r\n`
    socket.write(request.repeat(count))
  }
  const untilHeld = (bytes: number) =>
    eventually(async () => expect(await read('bytes')).toBe(bytes), 20_000)
  send(1)
  await eventually(async () => expect(await read('bytes')).toBeGreaterThan(8 * 1_000 * 1_024))
  const ofOne = (await read('bytes'))!
  // Half of the memory, one client's, and one more.
  const most = Math.floor((64 * 2 ** 20) / ofOne)
  send(most - 1)
  await untilHeld(most * ofOne)
  expect(await read('connections_closed_total')).toBe(closedBefore)
  send(1)
  await untilHeld(2 * ofOne)
  expect(await read('connections_closed_total')).toBe(closedBefore + 1)
  await gateway.close()
  await untilHeld(0)
}, 60_000)

it.each([
  ['?page=1', 'page'],
  ['?from=2026-02-02&to=2026-02-01', 'to'],
  ['?from=2026-02-30', 'from'],
  ['?invoiceId=x', 'invoiceId'],
  ['?action=', 'action'],
  [`?actor=${'x'.repeat(301)}`, 'actor'],
])('rejects %s', async (query, field) => {
  const { answer, text } = await download([], [], query)
  expect([answer.status, JSON.parse(text)]).toMatchObject([
    ...[400, { code: 'VALIDATION_ERROR', errors: [{ field }] }],
  ])
})

/** Until it has not changed for half a second. */
async function settled(count: () => number): Promise<void> {
  let before = -1
  while (before !== count()) {
    before = count()
    await sleep(500)
  }
}

it('shows numbers, names and local time in the language of a spreadsheet', async () => {
  const entry = {
    at: '2026-01-01T00:00:00Z',
    actor: 'user:a@example.com',
    action: 'invoice.rejected',
    from: 'TRANSMITTED',
    to: 'REJECTED',
    seq: 7,
    hash: 'abc',
  }
  const invoices = {
    ...smallInvoices(),
    listInvoiceAudit: async () => ({ entries: [entry], total: 1 }),
  }
  const gateway = await openForTest({}, { invoices })
  try {
    const body = JSON.stringify({ email: 'a@example.com', password: 'right password' })
    const headers = { 'X-Requested-With': 'dashboard', Authorization: '' }
    const signedIn = await fetchFrom(gateway, '/dashboard/api/session', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    })
    const [Cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    const read = async (lang: string) => {
      const url = `http://127.0.0.1:${gateway.port}/dashboard/api/audit.csv?lang=${lang}`
      return fetch(url, { headers: { Cookie, 'X-Requested-With': 'dashboard' } })
    }
    const french = await (await read('fr')).text()
    expect(french.split('\r\n').slice(0, 3)).toEqual([
      '"Date";"Auteur";"Action";"Facture";"De";"Vers";"Détails";"Identifiant";"Réseau";"Appareil";"N° d’entrée";"Empreinte"',
      '"01/01/2026 01:00:00";"a@example.com";"Clé créée";"";"";"";"";"";"";"";"";""',
      '"01/01/2026 01:00:00";"a@example.com";"Facture rejetée";"";"Transmise";"Rejetée";"";"";"";"";"7";"abc"',
    ])
    expect(await (await read('en')).text()).toContain('"2026-01-01 01:00:00","a@example.com"')
    expect((await read('de')).status).toBe(400)
  } finally {
    await gateway.close()
  }
})
