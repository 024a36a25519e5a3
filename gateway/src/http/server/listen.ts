import type http from 'node:http'
import net, { type AddressInfo } from 'node:net'

/** Of each listening socket, one connection is accepted in a turn of the event loop. */
const socketsWanted = 16

type Place = net.ListenOptions & { host: string; port: number; reusePort?: boolean }

/**
 * Several servers on one port where Node can (from 22.12, on Linux), else one: a busy event loop
 * makes few turns (decision 0134). Throws an error for the operator.
 */
export async function listen(
  create: () => http.Server,
  host: string,
  port: number,
): Promise<[http.Server, ...http.Server[]]> {
  try {
    // A process that shares its port would take some of the requests of one that is there already.
    if (port !== 0) await checkFree({ host, port })
    const first = await bindFirst(create, { host, port })
    const bound = (first.address() as AddressInfo).port
    return [first, ...(await bindMore(create, { host, port: bound }))]
  } catch (cause) {
    throw new Error(explain(cause as NodeJS.ErrnoException, host, port), { cause })
  }
}

async function checkFree(place: Place): Promise<void> {
  const server = net.createServer()
  await bind(server, place)
  await new Promise((resolve) => server.close(resolve))
}

async function bindFirst(create: () => http.Server, place: Place): Promise<http.Server> {
  const server = create()
  try {
    await bind(server, { ...place, reusePort: true })
  } catch {
    // Where the system cannot share a port; what else is wrong is wrong with this, too.
    await bind(server, place)
  }
  return server
}

/** None where Node does not know the option: the port is then in use. */
async function bindMore(create: () => http.Server, place: Place): Promise<http.Server[]> {
  const servers: http.Server[] = []
  while (1 + servers.length < socketsWanted) {
    const server = create()
    try {
      await bind(server, { ...place, reusePort: true })
    } catch {
      break
    }
    servers.push(server)
  }
  return servers
}

function bind(server: net.Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another process: stop it, or set PORT to another port.`
    case 'EACCES':
      return `Port ${port} on ${host} cannot be opened by this user: set PORT to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set HOST to one that is, such as 127.0.0.1.`
    default:
      return `Could not listen on ${host}:${port} (HOST, PORT): ${message}`
  }
}
