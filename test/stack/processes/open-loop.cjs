/**
 * A process of its own that creates invoices as many clients behind a proxy do, over connections
 * that stay open.
 *
 * Its parent sends `{url, key, connections, lines}` once, then `{perSecond, seconds, patienceMs}`
 * (an open loop: sent whether or not those before were answered) or `{atOnce, seconds, patienceMs}`
 * (a closed one) as often as it likes, and receives the outcome of the requests. A client that was
 * not answered within `patienceMs` has given up; its connection is used again after the late answer.
 */

const { randomUUID } = require('node:crypto')
const net = require('node:net')
const { performance } = require('node:perf_hooks')
const { setTimeout } = require('node:timers')
const { URL } = require('node:url')

const tickMs = 5
const buyer = { buyerName: 'Societe Exemple SARL', buyerAddress: '1, avenue Hassan II, Rabat' }
const prefix = randomUUID().slice(0, 8)
let sent = 0

/** Makes the bodies: they differ by their number alone, so that making them costs little. */
function createBodies(lineCount) {
  const lines = Array.from({ length: lineCount }, (_, index) => ({
    lineNumber: index + 1,
    description:
      lineCount === 1 ? 'Conseil' : `Prestation de conseil, phase ${index + 1}, Casablanca`,
    quantity: 1.5,
    unitPrice: 450.5,
    vatRate: 20,
  }))
  const rest = {
    invoiceDate: '2026-01-31',
    currency: 'MAD',
    paymentMethod: 'CASH',
    ...buyer,
    lines,
  }
  const tail = JSON.stringify(rest).slice(1)
  return () => `{"invoiceNumber":"O-${prefix}-${++sent}",${tail}`
}

class Connection {
  text = ''
  onAnswer = undefined

  constructor({ url, key, nextBody }, { onIdle, onClose }) {
    const { hostname, port } = new URL(url)
    this.head = `POST /v1/invoices HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    this.onIdle = onIdle
    this.nextBody = nextBody
    this.socket = net.connect(Number(port), hostname).setNoDelay(true)
    this.socket.on('connect', () => this.prove(hostname))
    this.socket.on('data', (chunk) => this.hear(chunk.toString('latin1')))
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => onClose(this))
  }

  /** The kernel opens it; only an answer shows that the server has it too. */
  prove(hostname) {
    this.onAnswer = () => undefined
    this.socket.write(`GET /livez HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  }

  send(onAnswer) {
    const body = this.nextBody()
    this.onAnswer = onAnswer
    this.socket.write(`${this.head}Content-Length: ${body.length}\r\n\r\n${body}`)
  }

  hear(text) {
    this.text += text
    const headEnd = this.text.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.text.slice(0, headEnd)
    const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.text.length < end) return
    this.text = this.text.slice(end)
    // What no one asked for is the server's good-bye to a connection at rest.
    if (!this.onAnswer) return
    const answer = this.onAnswer
    this.onAnswer = undefined
    answer(head.slice(9, 12), /retry-after: \d/i.test(head))
    this.onIdle(this)
  }
}

/** Of one trial: how many were offered, and what became of them. */
function trial({ seconds, patienceMs }) {
  const found = { offered: 0, good: 0, refused: 0, withoutRetryAfter: 0, other: 0, late: 0 }
  let answered = 0
  let pausedMs = 0
  const goodMs = []
  const refusedMs = []
  const beganAt = performance.now()
  return {
    isOver: () => performance.now() - beganAt >= seconds * 1000,
    elapsedMs: () => Math.min(performance.now() - beganAt, seconds * 1000),
    isAnswered: () => answered === found.offered,
    async tick() {
      const since = performance.now()
      await new Promise((resolve) => setTimeout(resolve, tickMs))
      pausedMs = Math.max(pausedMs, performance.now() - since)
    },
    found,
    offer(connection) {
      found.offered += 1
      if (!connection) {
        answered += 1
        found.late += 1
        return
      }
      const since = performance.now()
      connection.send((status, hasRetryAfter) => {
        const tookMs = performance.now() - since
        answered += 1
        if (tookMs > patienceMs) found.late += 1
        else if (status === '201') found.good = goodMs.push(tookMs)
        else if (status === '503') {
          found.refused = refusedMs.push(tookMs)
          if (!hasRetryAfter) found.withoutRetryAfter += 1
        } else {
          found.other += 1
          found.otherStatus = status
        }
      })
    },
    report: () => ({
      ...found,
      goodPerSecond: Math.round(found.good / seconds),
      goodP50Ms: quantile(goodMs, 0.5),
      goodP99Ms: quantile(goodMs, 0.99),
      goodP999Ms: quantile(goodMs, 0.999),
      refusedP99Ms: quantile(refusedMs, 0.99),
      pausedMs: Math.round(pausedMs),
    }),
  }
}

function quantile(values, share) {
  const ordered = values.toSorted((one, other) => one - other)
  return Math.round(10 * (ordered[Math.floor(ordered.length * share)] ?? 0)) / 10
}

const idle = []
let current
/** In a closed loop each answer asks for the next request. */
let isClosed = false

function onIdle(connection) {
  if (isClosed && !current.isOver()) current.offer(connection)
  else idle.push(connection)
}

async function run(asked) {
  current = trial(asked)
  isClosed = asked.atOnce !== undefined
  for (let at = 0; at < asked.atOnce; at += 1) current.offer(idle.pop())
  while (!current.isOver()) {
    const due = isClosed ? 0 : Math.floor((current.elapsedMs() / 1000) * asked.perSecond)
    // Who finds no connection waits for one without success.
    while (current.found.offered < due) current.offer(idle.pop())
    await current.tick()
  }
  const patientUntil = performance.now() + asked.patienceMs
  while (!current.isAnswered() && performance.now() < patientUntil) {
    await current.tick()
  }
  return current.report()
}

async function connect(target) {
  const nextBody = createBodies(target.lines ?? 1)
  const open = () => new Connection({ ...target, nextBody }, { onIdle, onClose })
  const onClose = (closed) => {
    const at = idle.indexOf(closed)
    if (at >= 0) idle.splice(at, 1)
    closed.onAnswer?.('none', false)
    setTimeout(open, 100)
  }
  for (let at = 0; at < target.connections; at += 1) open()
  while (idle.length < target.connections) await new Promise((resolve) => setTimeout(resolve, 20))
}

process.on('message', (asked) => {
  void (asked.url ? connect(asked) : run(asked)).then((found) => process.send(found ?? {}))
})
process.on('disconnect', () => process.exit())
