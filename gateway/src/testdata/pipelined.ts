import { once } from 'node:events'
import type http from 'node:http'
import net, { type AddressInfo } from 'node:net'

/** Sends all requests at once on one connection. Answers wait for the one before. */
export async function sendPipelined(
  server: http.Server,
  paths: readonly string[],
): Promise<net.Socket> {
  const { port } = server.address() as AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  return socket
}
