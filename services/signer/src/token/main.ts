/** A separate process, so that a crash or hang of the token's module does not end the signer. */

import { loadCryptoki, type Cryptoki } from './cryptoki'
import type { FromToken, Signed, ToToken } from './messages'
import { openSigningToken, type SigningToken } from './signing-token'
import { toTokenError } from './token-error'

// A signature in flight holds a thread of the pool until the token answers.
process.env['UV_THREADPOOL_SIZE'] = process.argv[2]

let tokenLabel = ''
let cryptoki: Cryptoki | undefined
let token: SigningToken | undefined
let inFlight = 0

let signed: Signed[] = []

async function answer(message: ToToken): Promise<FromToken | undefined> {
  switch (message.kind) {
    case 'open': {
      tokenLabel = message.config.tokenLabel
      cryptoki = await loadCryptoki(message.module)
      token = openSigningToken(cryptoki, message.config, message.pin)
      return identify(token)
    }
    case 'identify':
      return identify(requireToken())
    case 'sign': {
      const open = requireToken()
      await Promise.all(
        message.jobs.map(async ({ id, digest }) => sendSigned(id, await open.sign(digest))),
      )
      return undefined
    }
  }
}

function sendSigned(id: number, signature: Buffer): void {
  if (signed.length === 0) {
    setImmediate(() => {
      send({ kind: 'signed', signatures: signed })
      signed = []
    })
  }
  signed.push({ id, signature })
}

async function identify(open: SigningToken): Promise<FromToken> {
  return { kind: 'identity', identity: await open.identify(), sessions: open.sessions }
}

function requireToken(): SigningToken {
  if (!token) throw new Error('the token is not open yet')
  return token
}

function send(message: FromToken): void {
  if (process.connected) process.send?.(message)
}

process.on('message', (message: ToToken) => {
  inFlight++
  void answer(message)
    .catch((error: unknown): FromToken | undefined => {
      const { kind, message: sentence } = toTokenError(error, tokenLabel)
      return { kind: 'error', errorKind: kind, sentence }
    })
    .then((reply) => {
      inFlight--
      if (reply) send(reply)
    })
})

// Reported as any other error: the signer logs it and starts another process.
process.on('uncaughtException', (error) => {
  const { kind, message: sentence } = toTokenError(error, tokenLabel)
  const end = () => process.exit(1)
  if (process.connected)
    process.send?.({ kind: 'error', errorKind: kind, sentence } satisfies FromToken, end)
  else end()
})

// A Ctrl-C reaches the whole process group; the signer disconnects when it is done.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => {
  // With a call in flight a module may wait for it without end.
  if (inFlight === 0) cryptoki?.C_Finalize()
  process.exit()
})
