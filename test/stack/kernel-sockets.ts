import { readFileSync } from 'node:fs'

const states = { ESTABLISHED: '01', LISTEN: '0A' } as const

export interface LocalPlace {
  /** The last number of 127.0.0.x; 1 unless said. */
  host?: number
  port: number
}

/** TCP sockets at a local address, as the kernel lists them (proc_pid_net(5)). */
export function countSockets(state: keyof typeof states, { host = 1, port }: LocalPlace): number {
  const hex = (value: number, length: number) =>
    value.toString(16).toUpperCase().padStart(length, '0')
  const at = `${hex(host, 2)}00007F:${hex(port, 4)}`
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return rows.filter((row) => {
    const [, local, , found] = row.trim().split(/\s+/)
    return local === at && found === states[state]
  }).length
}
